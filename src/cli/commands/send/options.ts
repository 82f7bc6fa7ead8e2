import { type Command, InvalidArgumentError, Option } from 'commander'
import { addPair, jsonOf } from '../../generate/flags.ts'
import { fieldOf } from '../../generate/form.ts'
import { jsonLines } from '../../help/json-lines.ts'

/** The flags that make up one request. */
export interface RequestFlags {
  to?: string
  agent?: string
  channel?: string
  messageType?: string
  trafficType?: string
  text?: string
  subject?: string
  html?: string
  suggestions: unknown[]
  content?: string
  contentJson?: unknown
  template?: string
  templateVersion?: string
  var?: Record<string, string>
  ttl?: string
  idempotencyKey?: string
  data?: string
}

/** The flag of each field; other fields are built from the content flags. */
export const FLAG_OF = {
  agent_id: '--agent',
  channel_id: '--channel',
  message_type: '--message-type',
  traffic_type: '--traffic-type',
  subject: '--subject',
  template_id: '--template',
  template_version: '--template-version',
  template_data: '--var',
  ttl: '--ttl',
  idempotency_key: '--idempotency-key',
} as const

/**
 * Adds the flags of `send`. The returned list is filled with suggestions in the order of the command line, and the returned
 * flags by field with theirs.
 */
export function addSendFlags(command: Command) {
  const suggestions: unknown[] = []
  const flagOf: Record<string, string> = { ...FLAG_OF, 'content.text': '--text' }
  const choice = (name: keyof typeof FLAG_OF, value: string, description: string) =>
    new Option(`${FLAG_OF[name]} <${value}>`, description).choices(fieldOf('messages.send', name).choices!)
  const chip = (flag: string, form: string, what: string, read: (pair: Pair) => unknown) =>
    new Option(`${flag} <${form}>`, `${what} (repeatable)`).argParser((text) => {
      flagOf[`content.suggestions[${suggestions.length}]`] = flag
      suggestions.push(read(pairOf(text, form)))
    })
  const group = (heading: string, options: Option[]) => {
    for (const option of options) command.addOption(option.helpGroup(heading))
  }
  command.argument('[to]', 'phone number or email address')
  group('Content:', [
    new Option('--text <text>', 'plain text; @file or - reads it'),
    chip('--suggest-reply', 'text[=base64]', 'suggested reply', replyOf),
    chip('--suggest-url', 'text=url', 'suggested link', ([text, url]) => ({ action: { text, open_url: { url } } })),
    chip('--suggest-dial', 'text=phone', 'suggested call', ([text, phone_number]) => ({
      action: { text, dial: { phone_number } },
    })),
    new Option('--subject <text>', 'email: subject'),
    new Option('--html <html>', 'email: HTML; @file or - reads it'),
    new Option('--content <file>', 'JSON file, such as card.json below'),
    new Option('--content-json <json>', 'the same as JSON').argParser(jsonOf),
    new Option('--template <id>', 'template instead of content'),
    new Option('--template-version <version>', 'template version (default: latest)'),
    new Option('--var <key=value>', 'template variable (repeatable)').argParser(addPair),
  ])
  group('Sender and delivery:', [
    new Option('--agent <id>', 'sending RCS agent (env: SANDBOX_AGENT)'),
    new Option('--channel <id>', 'sending email or SMS channel'),
    choice('message_type', 'type', 'message type'),
    choice('traffic_type', 'type', 'traffic type'),
    new Option('--ttl <duration>', 'time until expiry: 60s, 5m (default: 30 days)'),
    new Option('--idempotency-key <uuid>', 'key that makes a repeat return the first answer'),
    new Option('--data <file>', 'JSON body: a file or -; --dry-run shows one'),
  ])
  command.addHelpText('after', NOTES)
  return { suggestions, flagOf }
}

type Pair = [text: string, value: string]

function pairOf(text: string, form: string): Pair {
  const at = text.indexOf('=')
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)]
  if (at === -1 && text !== '' && form.includes('[')) return [text, '']
  throw new InvalidArgumentError(`It must have the form ${form}.`)
}

const replyOf = ([text, postback]: Pair) => ({
  reply: { text, postback_data: postback || Buffer.from(text).toString('base64') },
})

/** A complete content object, as --content takes it. */
const CARD = jsonLines(
  {
    rich_card: {
      standalone: {
        orientation: 'VERTICAL',
        content: {
          title: 'Order 1042',
          description: 'Arrives tomorrow',
          media: { url: 'https://example.com/parcel.jpg', height: 'MEDIUM' },
          suggestions: [
            { reply: { text: 'Thanks', postback_data: 'dGhhbmtz' } },
            { action: { text: 'Map', open_url: { url: 'https://a.test' } } },
          ],
        },
      },
    },
  },
  76,
)

const NOTES = `
In a sandbox, agent, channel and types have defaults, and the last two digits of +4917139200.. decide what happens:
  00 delivered and read     01 delivered, never read     10 no RCS (404)
  failed: 11 UNKNOWN_RCS_USER  12 CARRIER_NOT_LAUNCHED  13 REJECTED_SPAM
          14 ACCOUNT_SUSPENDED  15 MESSAGE_EXPIRED
  20 switched off     21 delivered after 30 s     22 after 1 h
  replies: 30 Hello  31 taps  32 STOP, which revokes no consent
  40 blocked     consent: 41 revoked  42 pending  43 none (and no contact)
  50 to 99 ordinary, read by chance, with consent to messages and newsletters
Email: delivered, opened, clicked, bounced, complained @sandbox.test.
CONVERSATION answers a user within 24 h. "sandbox world show --query templates" lists templates with their variables.

card.json (height: SHORT, MEDIUM or TALL):
${CARD.replace(/^/gm, '  ')}

Batch rows: {"to": "+491713920050", "text": "Hello"}, or CSV with a first line to,text. A file may be - for stdin.

Examples:
  $ sandbox send +491713920000 --text "Your order is on its way"
  $ sandbox send +491713920031 --text "Shall we?" --suggest-reply Yes --suggest-url "Details=https://example.com"
  $ sandbox send +491713920000 --content card.json --watch
  $ sandbox send delivered@sandbox.test --subject Hello --html @letter.html
  $ sandbox send +491713920000 --template tpl_00000000-0000-4000-8000-000000000002 --var name=Ada --var eta=noon
  $ sandbox send --batch messages.ndjson --dry-run`
