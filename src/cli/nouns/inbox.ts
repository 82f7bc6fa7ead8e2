import type { AnswerTo } from '../../client/answers.ts'
import type { NounCommands } from '../generate/noun.ts'
import type { Paint } from '../output/paint.ts'
import { linesOf } from '../output/printable.ts'

type Inbox = AnswerTo<'inbox.show'>

/** Prints messages as their reader sees them, with numbers for links and suggestions to click and tap. */
export const inboxForPeople = ({ address, messages }: Inbox, paint: Paint): string =>
  messages.length === 0
    ? paint.dim(`${address} has received nothing yet.`)
    : [...messages.map((message) => shown(message, paint)), ...elsewhere(messages, paint)].join('\n\n')

/** Where the rest of a message is: an inbox shows text, and only what others have sent. */
function elsewhere(messages: Inbox['messages'], paint: Paint): string[] {
  const mail = messages.find(({ message_id, channel_type }) => message_id && channel_type === 'EMAIL')
  const lines = [
    ...(mail ? [`HTML of an email  ${paint.command(`messages get ${mail.message_id}`)}`] : []),
    ...(messages.some(({ suggestions = [] }) => suggestions.length > 0)
      ? [`Taps and replies  ${paint.command('events list --event conversation.started')}`]
      : []),
  ]
  return lines.length > 0 ? [lines.join('\n')] : []
}

function shown(message: Inbox['messages'][number], paint: Paint): string {
  const { at, channel_type, kind, message_id, status, subject, text, link, links, suggestions = [] } = message
  const what = message_id ? `${message_id} ${status}` : kind.toLowerCase().replaceAll('_', ' ')
  const chips = suggestions.map(
    ({ index, text, type, target }) => `[${index}] ${text}${type === 'action' ? ` ↗ ${target ?? ''}`.trimEnd() : ''}`,
  )
  const isAction = suggestions.some(({ target }) => target)
  const isOfChip = (url: string) => suggestions.some(({ target }) => target === url)
  return [
    `${paint.dim(at)}  ${channel_type}  ${paint.dim(what)}`,
    ...(subject ? [`  ${paint.bold(subject)}`] : []),
    ...linesOf(text).map((line) => `  ${line}`),
    // The links of an email can be clicked by number.
    ...(links ?? (link ? [link] : [])).flatMap((url, i) =>
      isOfChip(url) ? [] : [`  ${paint.cyan(`${links && channel_type === 'EMAIL' ? `[${i}] ` : ''}${url}`)}`],
    ),
    ...(chips.length > 0 ? [`  ${paint.cyan(chips.join(isAction ? '\n  ' : '  '))}`] : []),
  ].join('\n')
}

export const SAME_INBOX = '"inbox show", "handsets inbox" and "mailboxes inbox" show the same.'

export const commands: NounCommands<'inbox'> = {
  args: { address: { describe: 'phone number or email address' } },
  group: 'watching',
  notes: SAME_INBOX,
  verbs: {
    show: {
      forPeople: inboxForPeople,
      examples: ['sandbox inbox show +491713920000', 'sandbox inbox show ada@example.com'],
    },
    code: {
      exits: ['timedOut'],
      forPeople: ({ code }) => code,
      examples: ['sandbox inbox code +491713920000 --within 30s'],
    },
    link: {
      exits: ['timedOut'],
      forPeople: ({ url }) => url,
      examples: ['sandbox inbox link ada@example.com --match confirm --within 30s'],
    },
  },
}
