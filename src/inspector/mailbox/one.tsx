import { useState } from 'preact/hooks'
import { perform } from '../api/act.ts'
import type { Message } from '../api/answers.ts'
import { type Answer, call } from '../api/client.ts'
import { hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { MediaSwitch } from '../handset/media-switch.tsx'
import { possibilitiesOf } from '../messages/possible.ts'
import { Do } from '../ui/do.tsx'
import { Empty, Facts, Json, MessageLink, Panel, Shown, Status, When } from '../ui/parts.tsx'
import { behave, bounce, click, complain, makeOrdinary, open, unsubscribe } from './acts.ts'
import { MailFrame } from './mail-frame.tsx'

type Inbox = Answer<'inbox', 'show'>

interface Mail {
  messages: Message[]
  inbox: Inbox['messages']
}

/** Emails to an address as they were sent, and what the service itself has written to it. */
async function mailOf(address: string): Promise<Mail> {
  const [sent, { messages }] = await Promise.all([
    call('messages', 'search', { to: address, limit: 100 }),
    call('inbox', 'show', address, { limit: 100 }),
  ])
  return { messages: sent.messages, inbox: messages }
}

export function OneMailbox({ address }: { address: string }) {
  const read = useRead(`mail ${address}`, () => mailOf(address))
  return (
    <>
      <header class="page-head">
        <a href={hrefOf({ page: 'mailboxes' })}>← Mailboxes</a>
        <h1>
          <bdi>{address}</bdi>
        </h1>
        <MediaSwitch />
      </header>
      <Shown read={read}>{(mail) => <Box address={address} mail={mail} />}</Shown>
    </>
  )
}

function Box({ address, mail: { messages, inbox } }: { address: string; mail: Mail }) {
  const chosen = messages.find(({ id }) => id === place.value.query.message) ?? messages[0]
  const notes = inbox.filter(({ kind }) => kind !== 'MESSAGE')
  return (
    <div class="mailbox">
      <div>
        <Panel title="Emails">
          {messages.length === 0 ? (
            <Empty>Nothing was sent to this address.</Empty>
          ) : (
            <ul class="letters">
              {messages.map(({ id, content, status, created_at }) => (
                <li key={id}>
                  <a
                    href={hrefOf({ id: address, query: { message: id } })}
                    aria-current={id === chosen?.id ? 'true' : undefined}
                  >
                    <bdi class="cut">{String(content.subject ?? '')}</bdi>
                    <span>
                      <Status of={status} /> <When at={created_at} />
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )}
        </Panel>
        {notes.length > 0 && (
          <Panel title="From the service itself">
            {notes.map(({ at, kind, text, link }) => (
              <div key={`${at} ${kind}`} class="note-mail">
                <p>
                  <When at={at} /> {kind}
                </p>
                <p>{text}</p>
                {link && <code>{link}</code>}
              </div>
            ))}
          </Panel>
        )}
        <Habits address={address} />
      </div>
      {chosen && <Email address={address} message={chosen} links={linksOf(chosen, inbox)} key={chosen.id} />}
    </div>
  )
}

/** As `mailbox click` counts them; only what has arrived has links to click. */
const linksOf = ({ id }: Message, inbox: Inbox['messages']) =>
  inbox.find(({ message_id }) => message_id === id)?.links ?? []

function Email({ address, message, links }: { address: string; message: Message; links: readonly string[] }) {
  const [view, setView] = useState<'wide' | 'narrow' | 'text' | 'source'>('wide')
  const { id, content, channel_id, to, created_at } = message
  const { html, text, subject } = content as { html?: string; text?: string; subject?: string }
  const clicked = (url: string) => {
    const index = links.indexOf(url)
    if (index >= 0) void perform(click(address, id, index), () => `Clicked ${url}.`)
  }
  return (
    <Panel
      title={subject ?? 'No subject'}
      aside={
        <fieldset class="choices" aria-label="View">
          {(['wide', 'narrow', 'text', 'source'] as const).map((one) => (
            <button
              key={one}
              type="button"
              class="button small"
              aria-pressed={view === one}
              onClick={() => setView(one)}
            >
              {one}
            </button>
          ))}
        </fieldset>
      }
    >
      <Facts
        of={[
          ['To', <bdi>{to}</bdi>],
          ['From channel', <code>{channel_id}</code>],
          ['Sent', <When at={created_at} full />],
          ['Message', <MessageLink id={id} />],
        ]}
      />
      <Deeds address={address} message={message} />
      {view === 'source' ? (
        <Json of={html ?? text ?? ''} label="Source of the email" />
      ) : view === 'text' || !html ? (
        <Json of={text ?? 'It has no text part.'} label="Text of the email" />
      ) : (
        <MailFrame html={html} isNarrow={view === 'narrow'} clicked={clicked} />
      )}
      <h3>Links</h3>
      {links.length === 0 ? (
        <Empty>No link to click, or it has not arrived.</Empty>
      ) : (
        <ol class="plain">
          {links.map((url, index) => (
            <li key={url} class="line">
              <Do act={click(address, id, index)} says={() => `Clicked ${url}.`} class="small">
                Click
              </Do>
              <bdi class="mono">{url}</bdi>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** What cannot be done any more says why, by the same table as on the page of the message. */
function Deeds({ address, message }: { address: string; message: Message }) {
  const list = possibilitiesOf({ ...message, happened: [] })
  const why = (event: string) => list.find((one) => one.event === event)?.because
  const { id } = message
  return (
    <p class="choices">
      <Do act={open(address, id)} because={why('email.opened')}>
        Open
      </Do>
      <Do act={bounce(address, id, 'hard')} because={why('email.bounced')}>
        Bounce (hard)
      </Do>
      <Do act={bounce(address, id, 'soft')} because={why('email.bounced')}>
        Bounce (soft)
      </Do>
      <Do act={complain(address, id)} because={why('email.complained')} kind="danger">
        Complain
      </Do>
      <Do act={unsubscribe(address, id)} because={why('email.unsubscribed')}>
        Unsubscribe
      </Do>
    </p>
  )
}

function Habits({ address }: { address: string }) {
  const read = useRead(`mailbox ${address}`, () => call('mailboxes', 'show', address), { everyMs: 2_000 })
  return (
    <Panel
      title="Its owner"
      aside={
        <Do act={makeOrdinary(address)} kind="quiet" class="small">
          Make ordinary
        </Do>
      }
    >
      <Shown read={read}>
        {(mailbox) => (
          <>
            {mailbox.does && <p class="note">Magic recipient: {mailbox.does}</p>}
            <p class="choices">
              {(['opens', 'clicks', 'complains'] as const).map((habit) => (
                <Do key={habit} act={behave(address, habit, !mailbox[habit])} pressed={mailbox[habit] ?? false}>
                  {habit}
                </Do>
              ))}
            </p>
            <Facts
              of={[
                ['Bounces', mailbox.bounces],
                ['Arrives after', mailbox.delivery_delay],
                ['Contact', mailbox.contact?.status],
              ]}
            />
          </>
        )}
      </Shown>
    </Panel>
  )
}
