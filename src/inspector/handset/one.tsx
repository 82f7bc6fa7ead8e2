import { signal } from '@preact/signals'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { AgentAnswer, MessageAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { type PageAction, perform } from '../api/page-action.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Field, Select } from '../ui/fields.tsx'
import { Loaded, Panel } from '../ui/parts.tsx'
import { reply, tap } from './actions.ts'
import { agentIn, conversationOf } from './conversation.ts'
import { layOut } from './layout.ts'
import { allowsMedia, MediaSwitch } from './media-switch.tsx'
import { Phone } from './phone.tsx'
import { Settings } from './settings.tsx'
import type { ChipLayout, HandsetSender, MessageLayout, PhonePlatform, PreviewFinding, RcsContent } from './shapes.ts'
import { Chips, Findings, MessageView } from './view.tsx'

/** Kept between phones. */
export const profile = signal<PhonePlatform>('android')

export function OneHandset({ phone }: { phone: string }) {
  const read = useRead(`conversation ${phone}`, () => conversationOf(phone))
  return (
    <>
      <header class="page-head">
        <a href={hrefOf({ page: 'handsets' })}>← Handsets</a>
        <h1 class="mono">{phone}</h1>
        <ProfileSwitch />
        <MediaSwitch />
      </header>
      <Loaded read={read}>{(messages) => <Conversations phone={phone} messages={messages} />}</Loaded>
    </>
  )
}

export const ProfileSwitch = () => (
  <fieldset class="choices" aria-label="Profile">
    {(['android', 'ios'] as const).map((one) => (
      <button
        key={one}
        type="button"
        class="button"
        aria-pressed={profile.value === one}
        onClick={() => {
          profile.value = one
        }}
      >
        {one === 'ios' ? 'iOS' : 'Android'}
      </button>
    ))}
  </fieldset>
)

function Conversations({ phone, messages }: { phone: string; messages: readonly MessageAnswer[] }) {
  const agents = [...new Set(messages.map(agentIn))].filter((id) => id !== null)
  const chosen = agents.find((id) => id === place.value.query.agent) ?? agents.at(-1)
  const thread = messages.filter((message) => agentIn(message) === chosen)
  const layouts = layOutThread(thread, profile.value)
  const findings = [...layouts.values()].flatMap(({ findings }) => findings)
  return (
    <div class="handset">
      <div>
        {agents.length > 1 && (
          <Field label="Conversation with" class="field wide">
            <Select value={chosen} options={agents} choose={(agent) => go({ id: phone, query: { agent } })} />
          </Field>
        )}
        <Thread phone={phone} agentId={chosen} messages={thread} layouts={layouts} key={`${chosen} ${profile.value}`} />
      </div>
      <div class="beside-phone">
        <Settings phone={phone} />
        <Panel title="What the handset shows otherwise">
          <Findings of={once(findings)} />
        </Panel>
      </div>
    </div>
  )
}

/** Merges equal findings of several messages. */
const once = (findings: readonly PreviewFinding[]) => [
  ...new Map(findings.map((finding) => [`${finding.code} ${finding.at}`, finding])).values(),
]

function layOutThread(thread: readonly MessageAnswer[], as: PhonePlatform): Map<string, MessageLayout> {
  const newest = thread.at(-1)
  return new Map(
    thread
      .filter(({ direction }) => direction === 'OUTBOUND')
      .map((message) => [
        message.id,
        layOut(message.content as RcsContent, as, { isNewest: message === newest, used: usedOf(message, thread) }),
      ]),
  )
}

/** Finds tapped replies: later user messages with the same text. */
function usedOf({ content, created_at }: MessageAnswer, thread: readonly MessageAnswer[]): number[] {
  const said = thread.filter((one) => one.direction === 'INBOUND' && one.created_at >= created_at)
  const texts = said.map((one) => (one.content as { text?: string }).text)
  return ((content as RcsContent).suggestions ?? []).flatMap((one, index) =>
    one.reply && texts.includes(one.reply.text) ? [index] : [],
  )
}

interface ThreadProps {
  phone: string
  agentId: string | undefined
  messages: readonly MessageAnswer[]
  layouts: ReadonlyMap<string, MessageLayout>
}

function Thread({ phone, agentId, messages, layouts }: ThreadProps) {
  const agent = useRead(`agent ${agentId}`, async () => (agentId ? await agentOf(agentId) : undefined))
  const scroll = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => scroll.current?.scrollTo(0, scroll.current.scrollHeight), [messages.length])
  const tapOn = (messageId: string) => (chip: ChipLayout) =>
    void perform(tap(phone, messageId, chip.index), () => `Tapped “${chip.text}”.`)
  return (
    <Phone
      profile={profile.value}
      sender={senderOf(agent.value, agentId)}
      allowsMedia={allowsMedia}
      scroll={scroll}
      foot={agentId && <Typing phone={phone} agentId={agentId} />}
    >
      {messages.length === 0 && <p class="nothing">Nothing has arrived on this phone.</p>}
      {messages.map((message) => {
        const layout = layouts.get(message.id)
        if (!layout)
          return (
            <div key={message.id} class="turn user">
              <div class="bubble" dir="auto">
                <bdi>{(message.content as { text?: string }).text}</bdi>
              </div>
            </div>
          )
        return (
          <div key={message.id} class="turn agent-side">
            <MessageView layout={layout} allowsMedia={allowsMedia} tap={tapOn(message.id)} />
            <Chips chips={layout.chips} tap={tapOn(message.id)} />
            <a class="receipt" href={hrefOf({ page: 'messages', id: message.id })}>
              {message.status}
            </a>
          </div>
        )
      })}
    </Phone>
  )
}

/** Agents without a record, such as the Test Agent, still have a name. */
const agentOf = (id: string): Promise<AgentAnswer | undefined> => call('agents', 'get', id).catch(() => undefined)

const senderOf = (agent: AgentAnswer | undefined, id: string | undefined): HandsetSender => ({
  name: agent?.display_name ?? id ?? 'Nobody',
  isVerified: agent?.status === 'APPROVED',
  description: agent?.description ?? null,
  color: agent?.color ?? null,
  logoUrl: agent?.logo_url ?? null,
  bannerUrl: agent?.banner_url ?? null,
  phone: agent?.phone ?? null,
  email: agent?.email ?? null,
  website: agent?.website ?? null,
  privacyUrl: agent?.privacy_policy_url ?? null,
  termsUrl: agent?.terms_of_service_url ?? null,
})

function Typing({ phone, agentId }: { phone: string; agentId: string }) {
  const [text, setText] = useState('')
  const act: PageAction = reply(phone, agentId, text || '…')
  return (
    <form
      class="typing"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim()) void perform(reply(phone, agentId, text), () => `Replied “${text}”.`).then(() => setText(''))
      }}
    >
      <input
        aria-label="Reply of the user"
        placeholder="Reply as the user"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ActionButton
        act={act}
        label="Send the reply"
        because={text.trim() ? undefined : 'There is nothing to say yet.'}
        says={() => `Replied “${text}”.`}
        then={() => setText('')}
      >
        ➤
      </ActionButton>
    </form>
  )
}
