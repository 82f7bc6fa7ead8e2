import { useState } from 'preact/hooks'
import { call } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { TextField } from '../ui/fields.tsx'
import { Facts, Id, Loaded, Panel, When } from '../ui/parts.tsx'
import { answerWith, type HandsetAnswer, makeOrdinary, turn } from './actions.ts'

export function Settings({ phone }: { phone: string }) {
  const read = useRead(`handset ${phone}`, () => call('handsets', 'show', phone), { everyMs: 2_000 })
  return (
    <Panel
      title="The phone"
      aside={
        <ActionButton act={makeOrdinary(phone)} kind="quiet" class="small">
          Make ordinary
        </ActionButton>
      }
    >
      <Loaded read={read}>
        {(handset) => (
          <>
            {handset.does && <p class="note">Magic recipient: {handset.does}</p>}
            <p class="choices">
              <ActionButton act={turn(phone, 'on', !handset.on)} pressed={handset.on}>
                {handset.on ? 'On' : 'Off'}
              </ActionButton>
              <ActionButton act={turn(phone, 'rcs_capable', !handset.rcs_capable)} pressed={handset.rcs_capable}>
                RCS
              </ActionButton>
              <ActionButton act={turn(phone, 'read_receipts', !handset.read_receipts)} pressed={handset.read_receipts}>
                Read receipts
              </ActionButton>
            </p>
            <Answering phone={phone} replies={handset.replies} />
            <About handset={handset} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function Answering({ phone, replies }: { phone: string; replies: string | null }) {
  const [text, setText] = useState(replies ?? '')
  return (
    <div class="line">
      <TextField label="Replies to every message by itself" wide value={text} placeholder="STOP" set={setText} />
      <ActionButton act={answerWith(phone, text.trim())}>Set</ActionButton>
    </div>
  )
}

const About = ({ handset }: { handset: HandsetAnswer }) => (
  <Facts
    of={[
      ['Carrier', handset.carrier],
      ['Outcome', handset.outcome ?? 'as its carrier has it'],
      ['Arrives after', handset.delivery_delay],
      ['Reads after', handset.read_delay],
      ['Waiting', handset.waiting],
      ...handset.sessions.map(
        ({ agent_id, session_expires_at }) =>
          [
            'Session',
            <>
              <Id of={agent_id} /> until <When at={session_expires_at} full />
            </>,
          ] as const,
      ),
    ]}
  />
)
