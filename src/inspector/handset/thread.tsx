import { useLayoutEffect, useRef } from 'preact/hooks'
import type { HandsetSender, MessageLayout, PhonePlatform } from '../../display/handset/shapes.ts'
import { byTime } from '../../words/by-time.ts'
import { quantity, withCommas } from '../../words/number-text.ts'
import type { MessageAnswer } from '../api/answers.ts'
import { useDraft } from '../api/draft.ts'
import { tryPerform } from '../api/page-action.ts'
import { hrefOf } from '../api/place.ts'
import { requestsTo, useRefusedSends } from '../requests/refused.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { NoteLink, When } from '../ui/parts.tsx'
import { reply, tap } from './actions.ts'
import { type Conversation, isActionTap, type ServiceNote, timeOn } from './conversation.ts'
import { Phone } from './phone.tsx'
import { Chips, MessageView } from './view.tsx'

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

/** The conversation with a sender on the screen of a phone. */
export function Thread({ phone, profile, sender, agentId, isOn, conversation, more, layouts }: ThreadProps) {
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
