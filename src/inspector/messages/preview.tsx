import type { MessageAnswer } from '../api/answers.ts'
import { hrefOf } from '../api/place.ts'
import { layOut } from '../handset/layout.ts'
import { allowsMedia } from '../handset/media-switch.tsx'
import { ProfileSwitch, profile } from '../handset/one.tsx'
import type { RcsContent } from '../handset/shapes.ts'
import { Chips, Findings, MessageView } from '../handset/view.tsx'

/** The message as its reader sees it. */
export const Preview = ({ of: message }: { of: MessageAnswer }) => {
  const { channel, to, direction, content } = message
  if (channel === 'EMAIL')
    return (
      <a href={hrefOf({ page: 'mailboxes', id: to, query: { message: message.id } })}>Open in the mailbox of {to}</a>
    )
  if (direction === 'INBOUND') return <p dir="auto">{(content as RcsContent).text}</p>
  const layout = layOut(content as RcsContent, profile.value)
  return (
    <>
      <p class="line">
        <ProfileSwitch />
        <a class="button quiet" href={hrefOf({ page: 'handsets', id: to })}>
          On the phone
        </a>
      </p>
      <div class={`phone alone ${profile.value}`}>
        <div class="turn">
          <MessageView layout={layout} allowsMedia={allowsMedia} isStill />
          <Chips chips={layout.chips} isStill />
        </div>
      </div>
      <Findings of={layout.findings} />
    </>
  )
}
