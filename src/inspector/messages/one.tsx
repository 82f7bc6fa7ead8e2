import { useState } from 'preact/hooks'
import { FAILURE_REASONS } from '../../words/statuses.ts'
import type { MessageAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import type { StreamedEvent } from '../api/live.ts'
import { go, hrefOf } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Select } from '../ui/fields.tsx'
import { Facts, Id, Json, Loaded, Panel, Status, When } from '../ui/parts.tsx'
import { euros } from '../ui/text.ts'
import { type FailureChoice, resend, revoke, trigger } from './actions.ts'
import { EventsOf } from './events.tsx'
import { possibilitiesOf, whyNotRevoked } from './possible.ts'
import { Preview } from './preview.tsx'
import { Story } from './story.tsx'
import { Timeline } from './timeline.tsx'

/** Polls messages that have not ended, since they may change without an event. */
const RELOAD_MS = 1_000

export function OneMessage({ id }: { id: string }) {
  const when = ({ data }: StreamedEvent) => data.message_id === id
  const message = useRead(`message ${id}`, () => call('messages', 'get', id), { when, everyMs: RELOAD_MS })
  const story = useRead(`story ${id}`, () => call('messages', 'explain', id), { when, everyMs: RELOAD_MS })
  const events = useRead(`events ${id}`, () => call('events', 'list', { subject: id, limit: 200 }), { when })
  return (
    <div class="one">
      <nav aria-label="Way back">
        <a href={hrefOf({ page: 'messages' })}>← Messages</a>
      </nav>
      <Loaded read={message}>
        {(one) => (
          <>
            <Head of={one} />
            <div class="columns">
              <div>
                <Panel title="Timeline">
                  <Timeline message={one} events={events.value?.events ?? []} />
                </Panel>
                <Panel title="Why">
                  <Loaded read={story}>{(told) => <Story of={told} />}</Loaded>
                </Panel>
                <Panel title="Events and webhooks">
                  <Loaded read={events}>{(list) => <EventsOf events={list.events} />}</Loaded>
                </Panel>
                <Raw of={one} />
              </div>
              <div>
                <Panel title="As it is shown" class="seen">
                  <Preview of={one} />
                </Panel>
                <Panel title="Billing">
                  <Billing of={one} story={story.value} />
                </Panel>
                <Panel title="Let something happen">
                  <Possible of={one} happened={(events.value?.events ?? []).map(({ event }) => event)} />
                </Panel>
                <Panel title="Details">
                  <Details of={one} />
                </Panel>
              </div>
            </div>
          </>
        )}
      </Loaded>
    </div>
  )
}

const Head = ({ of: one }: { of: MessageAnswer }) => (
  <header class="page-head">
    <h1 class="mono">{one.id}</h1>
    <Status of={one.status} />
    <span class="space" />
    {one.direction === 'OUTBOUND' && (
      <>
        <ActionButton
          act={resend(one)}
          says={(sent: { message_id: string }) => `Sent again as ${sent.message_id}.`}
          then={(sent: { message_id: string }) => go({ page: 'messages', id: sent.message_id })}
        >
          Send again
        </ActionButton>
        <ActionButton act={revoke(one.id)} because={whyNotRevoked(one)} kind="danger">
          Revoke
        </ActionButton>
      </>
    )}
  </header>
)

function Billing({
  of: { cost, direction },
  story,
}: {
  of: MessageAnswer
  story: Parameters<typeof Story>[0]['of'] | undefined
}) {
  const said = (story?.steps ?? [])
    .flatMap(({ because }) => because)
    .filter(({ about }) => about === 'classification' || about === 'tier' || about === 'price' || about === 'ledger')
  if (direction === 'INBOUND') return <p class="empty">What users say costs nothing.</p>
  return (
    <>
      <Facts of={[['Charged', cost === null ? 'not settled yet' : euros(Number(cost))]]} />
      <ul class="plain">
        {said.map(({ about, says }, i) => (
          <li key={`${about} ${i}`}>
            <span class="about">{about}</span> {says}
          </li>
        ))}
      </ul>
    </>
  )
}

function Possible({ of: one, happened }: { of: MessageAnswer; happened: readonly string[] }) {
  const [reason, setReason] = useState<FailureChoice>('UNKNOWN_RCS_USER')
  const list = possibilitiesOf({ ...one, happened })
  if (list.length === 0) return <p class="empty">What a user sent is not moved.</p>
  return (
    <ul class="possible">
      {list.map(({ event, does, because }) => (
        <li key={event}>
          <ActionButton act={trigger(one.id, event, event === 'message.failed' ? reason : undefined)} because={because}>
            {event}
          </ActionButton>
          {event === 'message.failed' && !because && (
            <Select label="Why it fails" value={reason} options={FAILURE_REASONS} choose={setReason} />
          )}
          <span class={because ? 'why' : 'does'}>{because ?? does}</span>
        </li>
      ))}
    </ul>
  )
}

const Details = ({ of: one }: { of: MessageAnswer }) => (
  <Facts
    of={[
      ['To', <bdi class="mono">{one.to}</bdi>],
      ['Channel', one.channel],
      ['Message type', one.message_type],
      ['Traffic type', one.traffic_type],
      ['Content', one.content_type],
      [
        'Agent',
        one.agent_id && (
          <a href={hrefOf({ page: 'agents', id: one.agent_id })}>
            <Id of={one.agent_id} />
          </a>
        ),
      ],
      ['Channel id', <Id of={one.channel_id} />],
      [
        'Contact',
        one.contact_id && (
          <a href={hrefOf({ page: 'contacts', id: one.contact_id })}>
            <Id of={one.contact_id} />
          </a>
        ),
      ],
      [
        'Campaign',
        one.campaign_id && (
          <a href={hrefOf({ page: 'campaigns', id: one.campaign_id })}>
            <Id of={one.campaign_id} />
          </a>
        ),
      ],
      ['Template', one.template_id && <Id of={one.template_id} />],
      ['ttl', one.ttl],
      ['Created', <When at={one.created_at} full />],
      ['Failure', one.failure_reason],
      ['Error', one.error_message],
    ]}
  />
)

function Raw({ of: one }: { of: MessageAnswer }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title="Raw JSON"
      aside={
        <button type="button" class="button quiet small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'}
        </button>
      }
    >
      {isOpen && <Json of={one} label="The message as the API answers it" />}
    </Panel>
  )
}
