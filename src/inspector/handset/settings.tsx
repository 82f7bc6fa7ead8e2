import type { Read } from '../api/read.ts'
import { ActionButton, Switch } from '../ui/action-button.tsx'
import { EditableValue } from '../ui/editable-value.tsx'
import { Facts, Loaded, Panel, RecordLink, When } from '../ui/parts.tsx'
import { answerWith, type HandsetAnswer, resetHandset, turn } from './actions.ts'

export const SWITCHES = [
  { title: 'Power', field: 'on' },
  { title: 'RCS', field: 'rcs_capable' },
  { title: 'Read receipts', field: 'read_receipts' },
] as const

export const Settings = ({ phone, read }: { phone: string; read: Read<HandsetAnswer> }) => (
  <Panel
    title="Settings"
    aside={
      <ActionButton act={resetHandset(phone)} kind="quiet" class="small">
        Reset to defaults
      </ActionButton>
    }
  >
    <Loaded read={read}>
      {(handset) => (
        <>
          {handset.does && <p class="note">Magic recipient: {handset.does}</p>}
          <p class="choices">
            {SWITCHES.map(({ title, field }) => (
              <Switch key={field} act={turn(phone, field, !handset[field])} on={handset[field]} label={title} />
            ))}
          </p>
          <Facts
            of={[
              [
                'Replies to every message',
                <EditableValue
                  label="Automatic reply"
                  value={handset.replies ?? ''}
                  act={(text) => answerWith(phone, text)}
                  empty="none"
                  class=""
                />,
              ],
              ['Carrier', handset.carrier],
              ['Outcome', handset.outcome ?? 'decided by the carrier'],
              ['Delivered after', handset.delivery_delay],
              ['Read after', handset.read_delay],
              ['Waiting messages', handset.waiting],
              ...handset.sessions.map(
                ({ agent_id, session_expires_at }) =>
                  [
                    '24-hour session',
                    <>
                      <RecordLink id={agent_id} /> until <When at={session_expires_at} />
                    </>,
                  ] as const,
              ),
            ]}
          />
        </>
      )}
    </Loaded>
  </Panel>
)
