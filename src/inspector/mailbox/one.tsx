import type { MessageAnswer } from '../api/answers.ts'
import { type Answer, call } from '../api/client.ts'
import { tryPerform } from '../api/page-action.ts'
import { hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { MailPreview } from '../mail/preview.tsx'
import { possibilitiesOf } from '../messages/possible.ts'
import { ActionButton, Switch } from '../ui/action-button.tsx'
import { useNames } from '../ui/names.ts'
import { Empty, Facts, Loaded, MessageLink, PageHead, Panel, Status, When } from '../ui/parts.tsx'
import { count } from '../ui/text.ts'
import { behave, bounce, click, complain, HABITS, open, resetMailbox, unsubscribe } from './actions.ts'

type Inbox = Answer<'inbox', 'show'>

interface Mail {
  messages: MessageAnswer[]
  total: number
  inbox: Inbox['messages']
}

const MOST = 200

/** Emails and notes of the service to an address. */
async function mailOf(address: string): Promise<Mail> {
  const [{ messages, total }, inbox] = await Promise.all([
    call('messages', 'search', { to: address, limit: MOST }),
    call('inbox', 'show', address, { limit: MOST }),
  ])
  return { messages, total, inbox: inbox.messages }
}

export function OneMailbox({ address }: { address: string }) {
  const read = useRead(`mail ${address}`, () => mailOf(address))
  return (
    <>
      <PageHead title={`Mailbox ${address}`} back={{ href: hrefOf({ page: 'mailboxes' }), title: 'Mailboxes' }}>
        <a href={hrefOf({ page: 'messages', query: { to: address } })}>All messages to this mailbox</a>
      </PageHead>
      <Loaded read={read}>{(mail) => <Box address={address} mail={mail} />}</Loaded>
    </>
  )
}

function Box({ address, mail: { messages, total, inbox } }: { address: string; mail: Mail }) {
  const chosen = messages.find(({ id }) => id === place.value.query.message) ?? messages[0]
  const notes = inbox.filter(({ kind }) => kind !== 'MESSAGE')
  return (
    <div class="mailbox">
      <div>
        <Panel title={`Emails: ${count(total)}`}>
          {messages.length === 0 ? (
            <Empty>No emails to this address yet.</Empty>
          ) : (
            <ul class="letters">
              {messages.map(({ id, content, status, created_at }) => (
                <li key={id}>
                  <a
                    data-row
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
          {total > messages.length && (
            <p class="note">
              The newest {count(messages.length)} are shown.{' '}
              <a href={hrefOf({ page: 'messages', query: { to: address } })}>All are in the inbox.</a>
            </p>
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
  const nameOf = useNames()
  const { id, content, channel_id, to, created_at, status, failure_reason } = message
  const { subject } = content as { subject?: string }
  const clicked = (url: string) => {
    const index = links.indexOf(url)
    if (index >= 0) void tryPerform(click(address, id, index), () => `Clicked ${url}.`)
  }
  return (
    <Panel title={subject ?? 'No subject'}>
      <Facts
        of={[
          ['From', <bdi title={channel_id ?? ''}>{nameOf(channel_id)}</bdi>],
          ['To', <bdi>{to}</bdi>],
          ['Sent', <When at={created_at} full />],
          [
            'Status',
            <>
              <Status of={status} /> {failure_reason}
            </>,
          ],
          ['Message', <MessageLink id={id} />],
          ['Size', `${count(new Blob([String(content.html ?? ''), String(content.text ?? '')]).size)} bytes`],
        ]}
      />
      <EmailActions address={address} message={message} />
      <MailPreview content={content} clicked={clicked} />
      <h3>Links</h3>
      {links.length === 0 ? (
        <Empty>No links, or not delivered yet.</Empty>
      ) : (
        <ol class="plain">
          {links.map((url, index) => (
            <li key={url} class="line">
              <ActionButton
                act={click(address, id, index)}
                describe={() => `Clicked ${url}.`}
                class="small"
                label={`Click ${url}`}
              >
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
      title="Owner's behaviour"
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
                ['Contact', mailbox.contact?.status],
              ]}
            />
          </>
        )}
      </Loaded>
    </Panel>
  )
}
