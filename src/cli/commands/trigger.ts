import { type Command, Option } from 'commander'
import type { AnswerTo } from '../../client/answers.ts'
import {
  allowedWith,
  entryOf,
  isTrigger,
  type TriggerField,
  type TriggerName,
  triggerNames,
} from '../../controls/triggers/table.ts'
import { addFlag, optionKey } from '../generate/flags.ts'
import { fieldOf } from '../generate/form.ts'
import type { Paint } from '../output/paint.ts'
import { usage } from '../process/exit.ts'
import { objectIn } from '../process/files.ts'
import { callOperation } from '../session/call-operation.ts'
import { LAST, messageIdOf } from '../session/last-sent.ts'
import { type Run, type Session, setAction } from '../session/session.ts'

/** The flag of each field. The two kinds of reason share one, since no event takes both. */
const FLAGS: Readonly<Record<TriggerField, string>> = {
  message_id: '--message',
  phone: '--phone',
  agent_id: '--agent',
  consent_record_id: '--record',
  contact_id: '--contact',
  campaign_id: '--campaign',
  failure_reason: '--reason',
  rejection_reason: '--reason',
  bounce_type: '--bounce-type',
  url: '--url',
  index: '--index',
  text: '--text',
  carrier: '--carrier',
}

const SUMMARY = 'Let something happen now: move a message, agent, consent record or campaign'

export function add(program: Command, run: Run) {
  const command = program
    .command('trigger')
    .helpGroup('Simulated network:')
    .summary(SUMMARY)
    .description(
      `${SUMMARY}, by legal transitions and past whatever was planned for it, or say which precondition fails.`,
    )
    .argument('[event]', 'what is to happen, as --list shows it')
    .option('--list', 'list what can be triggered, with its flags and what it needs')
  for (const [name, flag] of Object.entries(FLAGS)) addField(command, name as TriggerField, flag)
  command.option('--data <file>', 'JSON file with the whole body, - for stdin; flags add to it')
  command.addHelpText('after', help)
  setAction(command, run, (session, [event], options) =>
    options.list ? list(session, event) : trigger(session, event, options),
  )
}

function addField(command: Command, name: TriggerField, flag: string) {
  if (name === 'failure_reason') return
  if (name === 'rejection_reason') {
    const reasons = fieldOf('events.trigger', 'failure_reason').choices!
    command.addOption(
      new Option(`${flag} <reason>`, `Why: of a message ${reasons.join(', ')}; of an agent what the reviewer says.`),
    )
    return
  }
  const field = fieldOf('events.trigger', name)
  const description = name === 'message_id' ? `${field.description} "${LAST}": the one sent last.` : field.description
  addFlag(command, { ...field, description }, flag)
}

const alternatives = (group: readonly TriggerField[]) => group.map((name) => FLAGS[name]).join('|')

/** The flags of an event for help: one of each group of alternatives. */
export function flagsOf(event: TriggerName): string {
  const { one, may = [] } = entryOf(event)
  const shown = new Set(one.flat())
  const optional = may.map((group) => group.filter((name) => !shown.has(name))).filter((group) => group.length > 0)
  return [...one.map(alternatives), ...optional.map((group) => `[${alternatives(group)}]`)].join(' ')
}

const help = () => {
  const width = Math.max(...triggerNames.map((name) => name.length))
  return `
Events, what they do, and what they need:
${triggerNames
  .map((name) => {
    const { does: what, needs } = entryOf(name)
    return `  ${name.padEnd(width)}  ${flagsOf(name)}\n  ${' '.repeat(width)}  ${what}\n  ${' '.repeat(width)}  Needs ${needs}.`
  })
  .join('\n')}

POST /_sandbox/trigger

Examples:
  $ sandbox trigger message.read --message last
  $ sandbox trigger message.failed --message msg_… --reason REJECTED_SPAM
  $ sandbox trigger email.clicked --message msg_… --url https://example.com/order
  $ sandbox trigger conversation.started --phone +491713920050 --text "Yes, please"
  $ sandbox trigger agent.rejected --agent ag_… --reason "The logo cannot be read."
  $ sandbox trigger consent.confirmed --contact ada-1
  $ sandbox trigger campaign.paused_error --campaign 00000000-0000-4000-8000-000000000101`
}

function list({ output }: Session, event: string | undefined) {
  if (event !== undefined) throw usage('Give an event or --list, not both.')
  const triggers = triggerNames.map((name) => {
    const { does: what, needs, moves } = entryOf(name)
    return { event: name, moves, flags: flagsOf(name), does: what, needs }
  })
  output.data({ triggers }, (paint) =>
    triggers
      .map((one) => `${paint.bold(one.event)}  ${one.flags}\n  ${one.does}\n  ${paint.dim(`Needs ${one.needs}.`)}`)
      .join('\n'),
  )
  return Promise.resolve()
}

type Body = Record<string, unknown>

async function trigger(session: Session, said: string | undefined, options: Record<string, unknown>) {
  const body: Body = options.data === undefined ? {} : await objectIn(session.io, String(options.data))
  const event = said ?? body.event
  if (typeof event !== 'string') throw usage('What is to happen?', 'sandbox trigger --list shows what can.')
  // An unknown event is sent as well, because the sandbox names the nearest one.
  const fields: Body = isTrigger(event) ? { ...body, ...fieldsFrom(event, options, body) } : { ...body }
  if (fields.message_id !== undefined) fields.message_id = await messageIdOf(String(fields.message_id), session)
  const triggered = await callOperation(session, 'events.trigger', { payload: { ...fields, event } })
  session.output.data(triggered, (paint, shown) => inWords(shown, paint))
}

/** Turns flags into fields. A flag that stands for two fields sets the one that the event takes. */
function fieldsFrom(event: TriggerName, options: Record<string, unknown>, body: Body): Body {
  const allowed = allowedWith(event)
  const given = (name: TriggerField) => options[optionKey(FLAGS[name])] ?? body[name]
  const hint = `It takes ${flagsOf(event)}.`
  const strange = Object.values(FLAGS).find(
    (flag) => options[optionKey(flag)] !== undefined && !allowed.some((name) => FLAGS[name] === flag),
  )
  if (strange) throw usage(`${strange} is not for ${event}.`, hint)
  const missing = entryOf(event).one.filter((group) => group.every((name) => given(name) === undefined))
  if (missing.length > 0) throw usage(`${event} needs ${missing.map(alternatives).join(' and ')}.`, hint)
  return Object.fromEntries(allowed.map((name) => [name, given(name)]))
}

function inWords({ event, subject, from, steps, events, at }: AnswerTo<'events.trigger'>, paint: Paint): string {
  const way = [from, ...steps.map(({ to }) => to)].join(' → ')
  const told = events.length === 0 ? 'no event tells of it' : events.map((one) => `${one.event} #${one.seq}`).join(', ')
  return [`${paint.green('✓')} ${paint.bold(event)}  ${subject}  ${way}`, paint.dim(`  ${at}  ${told}`)].join('\n')
}
