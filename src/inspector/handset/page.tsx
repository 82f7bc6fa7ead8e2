import { call } from '../api/client.ts'
import { place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { DeviceLink, MagicRecipients } from '../ui/devices.tsx'
import { EditableValue } from '../ui/editable-value.tsx'
import { OpenRecord } from '../ui/open-record.tsx'
import { Loaded, PageHead, Panel, Table } from '../ui/parts.tsx'
import { answerWith, type HandsetAnswer, makeOrdinary, turn } from './actions.ts'
import { OneHandset } from './one.tsx'

export function HandsetsPage() {
  const { id } = place.value
  return id === undefined ? <Handsets /> : <OneHandset phone={id} key={id} />
}

/** Interesting phones: those with settings, and magic ones. */
function Handsets() {
  const set = useRead('handsets', () => call('handsets', 'list'), { everyMs: 2_000 })
  return (
    <>
      <PageHead title="Handsets" />
      <OpenRecord page="handsets" label="Any phone of the world" placeholder="+491713920050" />
      <Panel title="Set otherwise">
        <Loaded read={set}>
          {({ handsets }) => (
            <Table
              label="Handsets that are set otherwise"
              rows={handsets}
              keyOf={({ phone }) => phone}
              empty="All phones are ordinary ones."
              columns={[
                { title: 'Phone', cell: ({ phone }) => <DeviceLink page="handsets" address={phone} /> },
                { title: 'Carrier', cell: ({ carrier }) => carrier },
                ...SWITCHES.map(({ title, field }) => ({
                  title,
                  cell: (handset: HandsetAnswer) => (
                    <ActionButton
                      act={turn(handset.phone, field, !handset[field])}
                      pressed={handset[field]}
                      class="small"
                      label={`${title}: ${handset.phone}`}
                    >
                      {handset[field] ? 'yes' : 'no'}
                    </ActionButton>
                  ),
                })),
                {
                  title: 'Replies',
                  cell: ({ phone, replies }) => (
                    <EditableValue
                      label={`What ${phone} replies`}
                      value={replies ?? ''}
                      act={(text) => answerWith(phone, text)}
                      empty="nothing"
                    />
                  ),
                },
                { title: 'Waiting', cell: ({ waiting }) => waiting, class: 'number' },
                {
                  title: 'Ordinary',
                  cell: ({ phone }) => (
                    <ActionButton act={makeOrdinary(phone)} kind="quiet" class="small" label={`Make ${phone} ordinary`}>
                      Reset
                    </ActionButton>
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </Panel>
      <MagicRecipients page="handsets" title="Phone" />
    </>
  )
}

const SWITCHES = [
  { title: 'On', field: 'on' },
  { title: 'RCS', field: 'rcs_capable' },
  { title: 'Read receipts', field: 'read_receipts' },
] as const
