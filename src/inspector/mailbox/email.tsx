import { linksOf } from '../../words/mail-links.ts'
import { withCommas } from '../../words/number-text.ts'
import type { MessageAnswer } from '../api/answers.ts'
import { tryPerform } from '../api/page-action.ts'
import { MailPreview } from '../mail/preview.tsx'
import { possibilitiesOf } from '../states/possible.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { useNames } from '../ui/names.ts'
import { Empty, Facts, When } from '../ui/parts.tsx'
import { click } from './actions.ts'

/** An email with its sender, its headers and its links. */
export function Email({ of: message }: { of: MessageAnswer }) {
  const nameOf = useNames()
  const { id, to, channel_id, created_at, message_type } = message
  const content = message.content as { subject?: string; html?: string; text?: string }
  const links = linksOf(content)
  const why = possibilitiesOf({ ...message, happened: [] }).find(({ event }) => event === 'email.clicked')?.because
  const clicked = (url: string) => {
    const index = links.indexOf(url)
    if (index >= 0) void tryPerform(click(to, id, index), () => `Clicked ${url}.`)
  }
  return (
    <>
      <Facts
        of={[
          ['From', <bdi title={channel_id ?? ''}>{nameOf(channel_id)}</bdi>],
          ['To', <bdi>{to}</bdi>],
          ['Subject', <bdi>{content.subject}</bdi>],
          ['Sent', <When at={created_at} />],
          ['Size', `${withCommas(new Blob([content.html ?? '', content.text ?? '']).size)} bytes`],
        ]}
      />
      <MailPreview mail={{ message_type, content }} clicked={clicked} />
      <h3>Links</h3>
      {links.length === 0 ? (
        <Empty>This email has no web links.</Empty>
      ) : (
        <ol class="plain">
          {links.map((url, index) => (
            <li key={url} class="line">
              <ActionButton
                act={click(to, id, index)}
                because={why}
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
    </>
  )
}
