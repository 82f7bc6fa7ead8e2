import { useCall } from '../api/read.ts'
import { ResetButton, Switch } from '../ui/action-button.tsx'
import { MagicRecipients, Recipients } from '../ui/devices.tsx'
import { EditableValue } from '../ui/editable-value.tsx'
import { PageHead } from '../ui/parts.tsx'
import { ReadPanel } from '../ui/table.tsx'
import { answerWith, type HandsetAnswer, resetHandset, turn } from './actions.ts'
import { SWITCHES } from './settings.tsx'

export function Handsets() {
  const read = useCall(['handsets', 'list'], { everyMs: 2_000 })
  return (
    <>
      <PageHead title="Phones" />
      <Recipients page="handsets" />
      <ReadPanel
        title="Phones with custom settings"
        read={read}
        rows={({ handsets }) => handsets}
        keyOf={({ phone }) => phone}
        empty="All phones have the default settings."
        columns={[
          { title: 'Phone', cell: ({ phone }) => phone, to: ({ phone }) => ({ page: 'handsets', id: phone }) },
          { title: 'Carrier', cell: ({ carrier }) => carrier },
          ...SWITCHES.map(({ title, field }) => ({
            title,
            cell: (handset: HandsetAnswer) => (
              <Switch act={turn(handset.phone, field, !handset[field])} on={handset[field]} label={title} />
            ),
          })),
          {
            title: 'Automatic reply',
            cell: ({ phone, replies }) => (
              <EditableValue
                label={`Automatic reply of ${phone}`}
                value={replies ?? ''}
                act={(text) => answerWith(phone, text)}
                empty="none"
              />
            ),
          },
          { title: 'Waiting', number: ({ waiting }) => waiting },
          { title: 'Defaults', cell: ({ phone }) => <ResetButton act={resetHandset(phone)} name={phone} /> },
        ]}
      />
      <MagicRecipients page="handsets" />
    </>
  )
}
