import { type Command, InvalidArgumentError, Option } from 'commander'
import { addPair, jsonOf } from '../../generate/flags.ts'
import { formOf } from '../../generate/form.ts'

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

/** Adds the flags of `send`. The returned list is filled with suggestions in the order of the command line. */
export function addSendFlags(command: Command): unknown[] {
  const suggestions: unknown[] = []
  const known = new Map(formOf('messages.send').map((field) => [field.name, field]))
  const field = (name: keyof typeof FLAG_OF, value: string) => {
    const { choices, description = '' } = known.get(name) ?? {}
    const option = new Option(`${FLAG_OF[name]} <${value}>`, description)
    return choices ? option.choices(choices) : option
  }
  const chip = (flag: string, form: string, what: string, read: (said: Pair) => unknown) =>
    new Option(`${flag} <${form}>`, `${what} (repeatable)`).argParser(
      (text) => void suggestions.push(read(pairOf(text, form))),
    )
  const group = (heading: string, options: Option[]) => {
    for (const option of options) command.addOption(option.helpGroup(heading))
  }
  command.argument('[to]', 'phone number in international format (RCS), or email address')
  group('Content:', [
    new Option('--text <text>', 'plain text; @file reads a file, - stdin, and @@ begins a text with @'),
    chip('--suggest-reply', 'text[=postback]', 'a reply to tap; postback in base64, else made from the text', replyOf),
    chip('--suggest-url', 'text=url', 'a link to tap', ([text, url]) => ({ action: { text, open_url: { url } } })),
    chip('--suggest-dial', 'text=phone', 'a number to call', ([text, phone_number]) => ({
      action: { text, dial: { phone_number } },
    })),
    field('subject', 'text'),
    new Option('--html <html>', 'email: the HTML part; @file and - as with --text'),
    new Option('--content <file>', 'JSON file with the content object (card, carousel, …), - for stdin'),
    new Option('--content-json <json>', 'the content object itself').argParser(jsonOf),
  ])
  group('Template:', [
    field('template_id', 'id'),
    field('template_version', 'version'),
    new Option(`${FLAG_OF.template_data} <key=value>`, 'a variable of the template (repeatable)').argParser(addPair),
  ])
  group('Sender and delivery:', [
    field('agent_id', 'id'),
    field('channel_id', 'id'),
    field('message_type', 'type'),
    field('traffic_type', 'type'),
    field('ttl', 'duration'),
    new Option('--idempotency-key <uuid>', 'the same key again repeats the answer and sends nothing'),
    new Option('--data <file>', 'JSON file with the whole request, - for stdin; flags add to it'),
  ])
  command.addHelpText('after', EXAMPLES)
  return suggestions
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

const EXAMPLES = `
Against the sandbox, agent, channel and types may be left out. SANDBOX_AGENT sets the agent.

Examples:
  $ sandbox send +491713920000 --text "Your order is on its way"
  $ sandbox send +491713920031 --text "Shall we?" --suggest-reply Yes --suggest-url "Details=https://example.com"
  $ sandbox send +491713920000 --content card.json --ttl 60s --watch
  $ sandbox send delivered@sandbox.test --subject Hello --html @letter.html
  $ git log -1 | sandbox send +491713920000 --text -
  $ sandbox send +491713920000 --template tpl_00000000-0000-4000-8000-000000000002 --var name=Ada --var eta=noon
  $ sandbox send --batch messages.ndjson --dry-run
  $ sandbox send --batch messages.ndjson --concurrency 4
  $ sandbox send --batch recipients.csv --text "Your table is free" --resume`
