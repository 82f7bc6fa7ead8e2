import { layOut } from '../../display/handset/layout.ts'
import { PROFILES, type RcsContent } from '../../display/handset/shapes.ts'
import type { MessageAnswer } from '../api/answers.ts'
import { MediaSwitch } from '../handset/media-switch.tsx'
import { Chips, Findings, MessageView, PLATFORM_NAMES } from '../handset/view.tsx'
import { Email } from '../mailbox/email.tsx'
import { Empty } from '../ui/parts.tsx'

/** The message as its reader sees it: on both phones side by side, or as an email. */
export function Preview({ of: message, hasArrived }: { of: MessageAnswer; hasArrived: boolean }) {
  const { channel, direction, content } = message
  if (direction === 'INBOUND')
    return (
      <p dir="auto" class="bubble-quote">
        {(content as RcsContent).text}
      </p>
    )
  return (
    <>
      {!hasArrived && <p class="note">Not delivered at this time. This is how it will look.</p>}
      {channel === 'EMAIL' ? <Email of={message} /> : <BothPhones content={content as RcsContent} />}
    </>
  )
}

/** Content on Android and iOS, with what each shows differently. */
export function BothPhones({ content }: { content: RcsContent }) {
  if (!content.text && !content.rich_card) return <Empty>The content is empty.</Empty>
  const layouts = PROFILES.map((profile) => layOut(content, profile))
  return (
    <>
      <div class="both-phones">
        {layouts.map((layout) => (
          <figure key={layout.profile}>
            <figcaption>{PLATFORM_NAMES[layout.profile]}</figcaption>
            <section
              class={`phone alone ${layout.profile}`}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard.
              tabIndex={0}
              aria-label={PLATFORM_NAMES[layout.profile]}
            >
              <div class="turn">
                <MessageView layout={layout} isStill />
                <Chips chips={layout.chips} isStill />
              </div>
            </section>
            <Findings of={layout.findings} />
          </figure>
        ))}
      </div>
      {content.rich_card && <MediaSwitch />}
    </>
  )
}
