import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { MessageAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { mayConcern } from '../api/live.ts'
import { pagesOf, usePaged } from '../api/paged.ts'
import { hrefOf, place } from '../api/place.ts'
import { QUIET_MS, useCall } from '../api/read.ts'
import { RefusedSends } from '../requests/refused.tsx'
import { possibilitiesOf } from '../states/possible.ts'
import { ActionButton, Switch } from '../ui/action-button.tsx'
import { useUnlessInUse } from '../ui/in-use.ts'
import { Empty, Facts, Loaded, NoteLink, PageHead, Panel, RecordLink, Status, When } from '../ui/parts.tsx'
import { More } from '../ui/table.tsx'
import { behave, bounce, complain, HABITS, open, resetMailbox, unsubscribe } from './actions.ts'
import { Email } from './email.tsx'

const PAGE = 50

/** Emails to an address, one of them open, and notes of the service to it. */
export function OneMailbox({ id: address }: { id: string }) {
  const list = usePaged(
    `mail ${address}`,
    pagesOf('messages', PAGE, (page) => call('messages', 'search', { to: address, ...page })),
    ({ id }) => id,
    { when: mayConcern(address), everyMs: QUIET_MS },
  )
  const box = useRef<HTMLElement>(null)
  const newest = useUnlessInUse(list.rows[0]?.id, box)
  if (!address.includes('@'))
    return (
      <>
        <PageHead title={`Mailbox ${address}`} back={['mailboxes', 'Mailboxes']} />
        <Empty>“{address}” is not an email address.</Empty>
      </>
    )
  const chosen = place.value.query.message ?? newest
  return (
    <>
      <PageHead title={`Mailbox ${address}`} back={['mailboxes', 'Mailboxes']}>
        <span class="space" />
        <a href={hrefOf({ page: 'messages', query: { to: address } })}>Show in inbox</a>
      </PageHead>
      <div class="mailbox">
        <div>
          <Panel title="Emails">
            <Loaded read={list}>
              {() =>
                list.rows.length === 0 ? (
                  <Empty>No emails from your application yet.</Empty>
                ) : (
                  <Letters of={list.rows} chosen={chosen} box={list.box} />
                )
              }
            </Loaded>
            <More list={list} noun="emails" />
          </Panel>
          <RefusedSends to={address} />
          <Notes address={address} />
        </div>
        {chosen && <OpenEmail address={address} id={chosen} key={chosen} box={box} />}
        <OwnerBehaviour address={address} />
      </div>
    </>
  )
}

/** The emails, as one tab stop: its reader goes on to the open one. */
function Letters({
  of: messages,
  chosen,
  box,
}: {
  of: readonly MessageAnswer[]
  chosen: string | undefined
  box: RefObject<HTMLElement | null>
}) {
  const [lastFocused, setLastFocused] = useState<string>()
  const among = (one: string | undefined) => messages.find(({ id }) => id === one)?.id
  const tabStop = among(lastFocused) ?? among(chosen) ?? messages[0]!.id
  return (
    <ul class="letters" ref={box as RefObject<HTMLUListElement>}>
      {messages.map(({ id, to, content, status, created_at }) => (
        <li key={id}>
          <a
            data-row
            tabIndex={id === tabStop ? 0 : -1}
            onFocus={() => setLastFocused(id)}
            href={hrefOf({ id: to, query: { message: id } })}
            aria-current={id === chosen ? 'true' : undefined}
          >
            <bdi class="cut">{String(content.subject ?? '')}</bdi>
            <span>
              <Status of={status} /> <When at={created_at} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** What the service itself wrote to an address, such as a question for consent. */
function Notes({ address }: { address: string }) {
  const { value } = useCall(['inbox', 'show', address, { limit: 200 }], {
    when: mayConcern(address),
    everyMs: QUIET_MS,
  })
  const notes = (value?.messages ?? []).filter(({ kind }) => kind !== 'MESSAGE')
  if (notes.length === 0) return null
  return (
    <Panel title="From the service itself">
      {notes.map(({ at, kind, text, link }) => (
        <div key={`${at} ${kind}`} class="note-mail">
          <p>
            <When at={at} /> {kind}
          </p>
          <p>{text}</p>
          {link && <NoteLink to={link} />}
        </div>
      ))}
    </Panel>
  )
}

function OpenEmail({ address, id, box }: { address: string; id: string; box: RefObject<HTMLElement | null> }) {
  const read = useCall(['messages', 'get', id], {
    when: ({ data }) => data.message_id === id,
    everyMs: QUIET_MS,
  })
  return (
    <Panel title={String(read.value?.content.subject ?? 'Email')} aside={<RecordLink id={id} />} box={box}>
      <Loaded read={read}>
        {(message) => (
          <>
            <p class="line">
              <Status of={message.status} />
              {message.failure_reason && <strong class="reason">{message.failure_reason}</strong>}
            </p>
            <EmailActions address={address} message={message} />
            <Email of={message} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

/** Impossible actions show the reason, from the same table as on the message's page. */
function EmailActions({ address, message }: { address: string; message: MessageAnswer }) {
  const list = possibilitiesOf({ ...message, happened: [] })
  const why = (event: string) => list.find((one) => one.event === event)?.because
  const { id } = message
  return (
    <p class="choices wrap">
      <ActionButton act={open(address, id)} because={why('email.opened')}>
        Open
      </ActionButton>
      <ActionButton act={bounce(address, id, 'hard')} because={why('email.bounced')}>
        Bounce (hard)
      </ActionButton>
      <ActionButton act={bounce(address, id, 'soft')} because={why('email.bounced')}>
        Bounce (soft)
      </ActionButton>
      <ActionButton
        act={complain(address, id)}
        because={why('email.complained')}
        kind="danger"
        confirm={{
          title: 'Complain about this email?',
          verb: 'Complain',
          lost: `The contact will be unsubscribed, so later sends to ${address} are refused. An email can be complained about only once.`,
        }}
      >
        Complain
      </ActionButton>
      <ActionButton act={unsubscribe(address, id)} because={why('email.unsubscribed')}>
        Unsubscribe
      </ActionButton>
    </p>
  )
}

function OwnerBehaviour({ address }: { address: string }) {
  const read = useCall(['mailboxes', 'show', address], {
    when: mayConcern(address),
    everyMs: 2_000,
  })
  return (
    <Panel
      title="Settings"
      aside={
        <ActionButton act={resetMailbox(address)} kind="quiet" class="small">
          Reset to defaults
        </ActionButton>
      }
    >
      <Loaded read={read}>
        {(mailbox) => (
          <>
            {mailbox.does && <p class="note">Magic recipient: {mailbox.does}</p>}
            <p class="choices wrap">
              {HABITS.map(({ title, field }) => (
                <Switch
                  key={field}
                  act={behave(address, field, !mailbox[field])}
                  on={mailbox[field] ?? false}
                  label={title}
                />
              ))}
            </p>
            <Facts
              of={[
                ['Bounces', mailbox.bounces],
                ['Delivered after', mailbox.delivery_delay],
                [
                  'Contact',
                  mailbox.contact && (
                    <>
                      <RecordLink id={mailbox.contact.id} /> {mailbox.contact.status}
                    </>
                  ),
                ],
              ]}
            />
          </>
        )}
      </Loaded>
    </Panel>
  )
}
