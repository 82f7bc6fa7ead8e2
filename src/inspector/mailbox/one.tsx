import { useState } from 'preact/hooks'
import type { MessageAnswer } from '../api/answers.ts'
import { type Answer, call } from '../api/client.ts'
import { perform } from '../api/page-action.ts'
import { hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { MediaSwitch } from '../handset/media-switch.tsx'
import { possibilitiesOf } from '../messages/possible.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Empty, Facts, Json, Loaded, MessageLink, Panel, Status, When } from '../ui/parts.tsx'
import { behave, bounce, click, complain, makeOrdinary, open, unsubscribe } from './actions.ts'
import { MailFrame } from './mail-frame.tsx'

type Inbox = Answer<'inbox', 'show'>

interface Mail {
  messages: MessageAnswer[]
  inbox: Inbox['messages']
}

/** Emails and service notes to an address. */
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
      <Loaded read={read}>{(mail) => <Box address={address} mail={mail} />}</Loaded>
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
        <OwnerBehaviour address={address} />
      </div>
      {chosen && <Email address={address} message={chosen} links={linksOf(chosen, inbox)} key={chosen.id} />}
    </div>
  )
}

/** Links in the order of `mailbox click`; only delivered emails have them. */
const linksOf = ({ id }: MessageAnswer, inbox: Inbox['messages']) =>
  inbox.find(({ message_id }) => message_id === id)?.links ?? []

function Email({ address, message, links }: { address: string; message: MessageAnswer; links: readonly string[] }) {
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
      <EmailActions address={address} message={message} />
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
              <ActionButton act={click(address, id, index)} says={() => `Clicked ${url}.`} class="small">
                Click
              </ActionButton>
              <bdi class="mono">{url}</bdi>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** Impossible actions show the reason, from the same table as on the message's page. */
function EmailActions({ address, message }: { address: string; message: MessageAnswer }) {
  const list = possibilitiesOf({ ...message, happened: [] })
  const why = (event: string) => list.find((one) => one.event === event)?.because
  const { id } = message
  return (
    <p class="choices">
      <ActionButton act={open(address, id)} because={why('email.opened')}>
        Open
      </ActionButton>
      <ActionButton act={bounce(address, id, 'hard')} because={why('email.bounced')}>
        Bounce (hard)
      </ActionButton>
      <ActionButton act={bounce(address, id, 'soft')} because={why('email.bounced')}>
        Bounce (soft)
      </ActionButton>
      <ActionButton act={complain(address, id)} because={why('email.complained')} kind="danger">
        Complain
      </ActionButton>
      <ActionButton act={unsubscribe(address, id)} because={why('email.unsubscribed')}>
        Unsubscribe
      </ActionButton>
    </p>
  )
}

function OwnerBehaviour({ address }: { address: string }) {
  const read = useRead(`mailbox ${address}`, () => call('mailboxes', 'show', address), { everyMs: 2_000 })
  return (
    <Panel
      title="Its owner"
      aside={
        <ActionButton act={makeOrdinary(address)} kind="quiet" class="small">
          Make ordinary
        </ActionButton>
      }
    >
      <Loaded read={read}>
        {(mailbox) => (
          <>
            {mailbox.does && <p class="note">Magic recipient: {mailbox.does}</p>}
            <p class="choices">
              {(['opens', 'clicks', 'complains'] as const).map((behaviour) => (
                <ActionButton
                  key={behaviour}
                  act={behave(address, behaviour, !mailbox[behaviour])}
                  pressed={mailbox[behaviour] ?? false}
                >
                  {behaviour}
                </ActionButton>
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
      </Loaded>
    </Panel>
  )
}
