import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { layOut } from '../../display/handset/layout.ts'
import {
  type HandsetSender,
  type MessageLayout,
  type PhonePlatform,
  PROFILES,
  type RcsContent,
} from '../../display/handset/shapes.ts'
import { byTime } from '../../words/by-time.ts'
import { pageOfRecord } from '../../words/inspector-page.ts'
import { quantity, withCommas } from '../../words/number-text.ts'
import type { AgentAnswer, MessageAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { useDraft } from '../api/draft.ts'
import { mayConcern } from '../api/live.ts'
import { tryPerform } from '../api/page-action.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { useCall, useRead } from '../api/read.ts'
import { RefusedSends, requestsTo, useRefusedSends } from '../requests/refused.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { Field, Select, Toggles } from '../ui/fields.tsx'
import { Empty, Loaded, NoteLink, PageHead, Panel, RecordLink, When } from '../ui/parts.tsx'
import { reply, tap } from './actions.ts'
import {
  agentIn,
  type Conversation,
  conversationOf,
  isActionTap,
  type ServiceNote,
  timeOn,
  usedReplies,
} from './conversation.ts'
import { MediaSwitch } from './media-switch.tsx'
import { Phone } from './phone.tsx'
import { Settings } from './settings.tsx'
import { Chips, Findings, MessageView, PLATFORM_NAMES } from './view.tsx'

/** Kept between phones. */
const shown = signal<(typeof PLATFORM_NAMES)[PhonePlatform] | 'Both'>('Both')

export function OneHandset({ id: phone }: { id: string }) {
  const [pages, setPages] = useState(1)
  const read = useRead(`conversation ${phone}`, () => conversationOf(phone, pages), {
    when: mayConcern(phone),
  })
  useEffect(read.again, [pages])
  if (pageOfRecord(phone) !== 'handsets')
    return (
      <>
        <PageHead title={`Phone ${phone}`} back={['handsets', 'Phones']} />
        <Empty>“{phone}” is not a phone number in international format, such as +491713920050.</Empty>
      </>
    )
  return (
    <>
      <PageHead title={`Phone ${phone}`} back={['handsets', 'Phones']}>
        <Toggles
          label="Platform"
          value={shown.value}
          options={['Both', ...PROFILES.map((one) => PLATFORM_NAMES[one])]}
          choose={(chosen) => {
            shown.value = chosen
          }}
        />
        <span class="space" />
        <MediaSwitch />
        {read.value?.contacts.map((id) => (
          <a key={id} href={hrefOf({ page: 'contacts', id })}>
            Contact
          </a>
        ))}
        <a href={hrefOf({ page: 'messages', query: { to: phone } })}>Show in inbox</a>
      </PageHead>
      <Loaded read={read}>
        {(conversation) => <Conversations phone={phone} conversation={conversation} more={() => setPages(pages + 1)} />}
      </Loaded>
    </>
  )
}

function Conversations({ phone, conversation, more }: { phone: string; conversation: Conversation; more: () => void }) {
  const { messages } = conversation
  const handset = useCall(['handsets', 'show', phone], {
    when: mayConcern(phone),
    everyMs: 2_000,
  })
  const agents = [...new Set(messages.map(agentIn))].filter((id) => id !== null)
  const chosen = agents.find((id) => id === place.value.query.agent) ?? agents.at(-1)
  const agent = useRead(`agent ${chosen}`, async () => (chosen ? await agentOf(chosen) : undefined), {
    when: ({ event }) => event.startsWith('agent.'),
  })
  const thread = messages.filter((message) => agentIn(message) === chosen)
  const profiles = PROFILES.filter((one) => shown.value === 'Both' || shown.value === PLATFORM_NAMES[one])
  const layouts = profiles.map((profile) => layOutThread(thread, profile))
  const isOn = handset.value?.on ?? true
  return (
    <>
      {agents.length > 1 && (
        <Field label="Conversation with" class="field wide">
          <Select value={chosen} options={agents} choose={(agent) => go({ id: phone, query: { agent } })} />
        </Field>
      )}
      <RefusedSends to={phone} />
      <div class="handset">
        {profiles.map((profile, i) => (
          <Thread
            key={`${chosen} ${profile}`}
            phone={phone}
            profile={profile}
            sender={senderOf(agent.value, chosen)}
            agentId={isOn ? chosen : undefined}
            isOn={isOn}
            conversation={{ ...conversation, messages: thread }}
            more={more}
            layouts={layouts[i]!}
          />
        ))}
        <div class="beside-phone">
          <Settings phone={phone} read={handset} />
          <Panel title="Differences from the request">
            <Findings of={layouts.flatMap(findingsIn)} />
          </Panel>
        </div>
      </div>
    </>
  )
}

const findingsIn = (layouts: ReadonlyMap<string, MessageLayout>) =>
  [...layouts].flatMap(([id, { findings }]) =>
    findings.map((finding) => ({ ...finding, where: <RecordLink id={id} /> })),
  )

function layOutThread(thread: readonly MessageAnswer[], as: PhonePlatform): Map<string, MessageLayout> {
  // A tap on an action is not a message, so the chips stay.
  const newest = thread.filter((message) => !isActionTap(message)).at(-1)
  const used = usedReplies(thread)
  return new Map(
    thread
      .filter(({ direction }) => direction === 'OUTBOUND')
      .map((message) => [
        message.id,
        layOut(message.content as RcsContent, as, { isNewest: message === newest, used: used.get(message.id) ?? [] }),
      ]),
  )
}

interface ThreadProps {
  phone: string
  profile: PhonePlatform
  sender: HandsetSender
  /** The agent that replies go to; undefined on a phone that is off. */
  agentId: string | undefined
  isOn: boolean
  conversation: Conversation
  /** Reads more of the older messages. */
  more: () => void
  layouts: ReadonlyMap<string, MessageLayout>
}

/** A reader so near the end of a conversation follows it. */
const NEAR_PX = 60

function Thread({ phone, profile, sender, agentId, isOn, conversation, more, layouts }: ThreadProps) {
  const { messages, notes, underWay, older } = conversation
  const scroll = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  // The newest message comes into view, unless the reader is at older ones; the own reply always does.
  useLayoutEffect(() => {
    const box = scroll.current!
    if (isAtEnd.current || messages.at(-1)?.direction === 'INBOUND') box.scrollTo(0, box.scrollHeight)
    const follow = () => {
      isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX
    }
    box.addEventListener('scroll', follow, { passive: true })
    return () => box.removeEventListener('scroll', follow)
  }, [messages.at(-1)?.id, notes.length])
  return (
    <Phone
      profile={profile}
      sender={sender}
      isOn={isOn}
      scroll={scroll}
      foot={agentId && <Typing phone={phone} agentId={agentId} profile={profile} />}
    >
      {older > 0 && (
        <button type="button" class="button small" onClick={more}>
          Load older ({withCommas(older)})
        </button>
      )}
      {messages.length + notes.length === 0 && (
        <p class="nothing">
          {older === 0 && 'No messages on this phone yet. '}
          <Refused to={phone} />
          {underWay > 0 && (
            <a href={hrefOf({ page: 'messages', query: { to: phone } })}>{quantity(underWay, 'messages')} on the way</a>
          )}
        </p>
      )}
      {[
        ...notes.map((note) => ({ at: note.at, note })),
        ...messages.map((message) => ({ at: timeOn(message), message })),
      ]
        .sort(byTime)
        .map((turn) =>
          'note' in turn ? (
            <NoteTurn key={`${turn.at} ${turn.note.kind}`} of={turn.note} />
          ) : (
            <Turn
              key={turn.message.id}
              phone={phone}
              message={turn.message}
              layout={layouts.get(turn.message.id)}
              isOn={isOn}
            />
          ),
        )}
    </Phone>
  )
}

function Refused({ to }: { to: string }) {
  const { total = 0 } = useRefusedSends(to).value ?? {}
  return total === 0 ? null : <a href={hrefOf(requestsTo(to))}>{quantity(total, 'sends')} refused. </a>
}

/** What the service itself wrote, such as a code of the Test Agent. */
const NoteTurn = ({ of: { at, text, link } }: { of: ServiceNote }) => (
  <div class="turn agent-side">
    <div class="bubble">
      <bdi>{text}</bdi>
      {link && <NoteLink to={link} />}
    </div>
    <span class="receipt">
      from the service itself, <When at={at} />
    </span>
  </div>
)

function Turn({
  phone,
  message,
  layout,
  isOn,
}: {
  phone: string
  message: MessageAnswer
  layout: MessageLayout | undefined
  isOn: boolean
}) {
  const { text } = message.content as { text?: string }
  const at = timeOn(message)
  if (isActionTap(message))
    return (
      <p class="tap-note">
        Tapped “{text}”, <When at={at} />
      </p>
    )
  if (!layout)
    return (
      <div class="turn user">
        <div class="bubble">
          <bdi>{text}</bdi>
        </div>
        <span class="receipt">
          <When at={at} />
        </span>
      </div>
    )
  const drawn = {
    isStill: !isOn,
    tapAs: (chip: MessageLayout['chips'][number], words: preact.ComponentChildren) => (
      <ActionButton
        act={tap(phone, message.id, chip.index)}
        class={`chip ${chip.kind}`}
        describe={() => `Tapped “${chip.text}”.`}
      >
        {words}
      </ActionButton>
    ),
  }
  return (
    <div class="turn agent-side">
      <MessageView layout={layout} {...drawn} />
      <Chips chips={layout.chips} {...drawn} />
      <a class="receipt" href={hrefOf({ page: 'messages', id: message.id })}>
        <When at={at} />, {message.status}
      </a>
    </div>
  )
}

/** Agents without a record, such as the Test Agent, still have a name. */
const agentOf = (id: string): Promise<AgentAnswer | undefined> => call('agents', 'get', id).catch(() => undefined)

const senderOf = (agent: AgentAnswer | undefined, id: string | undefined): HandsetSender => ({
  ...agent,
  name: agent?.display_name ?? id ?? 'No sender yet',
  isVerified: agent?.status === 'APPROVED',
})

function Typing({ phone, agentId, profile }: { phone: string; agentId: string; profile: PhonePlatform }) {
  const [text, setText] = useDraft(`reply ${phone} ${agentId} ${profile}`, '')
  const act = reply(phone, agentId, text || 'Hello')
  const describe = () => `Replied “${text}”.`
  return (
    <form
      class="typing"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim()) void tryPerform(act, describe).then((refusal) => refusal ?? setText(undefined))
      }}
    >
      <input
        aria-label="Reply as the user"
        placeholder="Reply as the user"
        dir="auto"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ActionButton
        act={act}
        label="Send the reply"
        because={text.trim() ? undefined : 'Enter a text first.'}
        describe={describe}
        then={() => setText(undefined)}
      >
        ➤
      </ActionButton>
    </form>
  )
}
