import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { layOut } from '../../display/handset/layout.ts'
import {
  type HandsetSender,
  type MessageLayout,
  type PhonePlatform,
  PROFILES,
  type RcsContent,
} from '../../display/handset/shapes.ts'
import { pageOfRecord } from '../../words/inspector-page.ts'
import type { AgentAnswer, MessageAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { mayConcern } from '../api/live.ts'
import { go, hrefOf, place } from '../api/place.ts'
import { QUIET_MS, useCall, useRead } from '../api/read.ts'
import { RefusedSends } from '../requests/refused.tsx'
import { Field, Select, Toggles } from '../ui/fields.tsx'
import { useUnlessInUse } from '../ui/in-use.ts'
import { useNames } from '../ui/names.ts'
import { Empty, Loaded, PageHead, Panel, RecordLink } from '../ui/parts.tsx'
import { shortId } from '../ui/text.ts'
import { agentIn, type Conversation, conversationOf, isActionTap, usedReplies } from './conversation.ts'
import { MediaSwitch } from './media-switch.tsx'
import { Settings } from './settings.tsx'
import { Thread } from './thread.tsx'
import { Findings, PLATFORM_NAMES } from './view.tsx'

/** Kept between phones. */
const shown = signal<(typeof PLATFORM_NAMES)[PhonePlatform] | 'Both'>('Both')

export function OneHandset({ id: phone }: { id: string }) {
  const [pages, setPages] = useState(1)
  const read = useRead(`conversation ${phone}`, () => conversationOf(phone, pages), {
    when: mayConcern(phone),
    everyMs: QUIET_MS,
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
  const box = useRef<HTMLDivElement>(null)
  const newest = useUnlessInUse(agents.at(-1), box)
  const among = (id: string | undefined) => agents.find((one) => one === id)
  const chosen = among(place.value.query.agent) ?? among(newest) ?? agents.at(-1)
  const agent = useRead(`agent ${chosen}`, async () => (chosen ? await agentOf(chosen) : undefined), {
    when: ({ event }) => event.startsWith('agent.'),
  })
  const nameOf = useNames()
  const thread = messages.filter((message) => agentIn(message) === chosen)
  const profiles = PROFILES.filter((one) => shown.value === 'Both' || shown.value === PLATFORM_NAMES[one])
  const layouts = profiles.map((profile) => layOutThread(thread, profile))
  const isOn = handset.value?.on ?? true
  return (
    <>
      {/* Two agents may have one name. */}
      {agents.length > 1 && (
        <Field label="Conversation with" class="field wide">
          <Select
            value={chosen}
            options={agents.map((id) => [id, `${nameOf(id)} (${shortId(id)})`] as const)}
            choose={(agent) => go({ id: phone, query: { agent } })}
          />
        </Field>
      )}
      <RefusedSends to={phone} />
      <div class="handset" ref={box}>
        {profiles.map((profile, i) => (
          <Thread
            key={`${chosen} ${profile}`}
            phone={phone}
            profile={profile}
            sender={senderOf(agent.value, chosen ? nameOf(chosen) : 'No sender yet')}
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

/** Agents without a record, such as the Test Agent, still have a name. */
const agentOf = (id: string): Promise<AgentAnswer | undefined> => call('agents', 'get', id).catch(() => undefined)

const senderOf = (agent: AgentAnswer | undefined, name: string): HandsetSender => ({
  ...agent,
  name,
  isVerified: agent?.status === 'APPROVED',
})
