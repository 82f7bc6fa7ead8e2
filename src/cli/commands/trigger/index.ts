import { type Command, Option } from 'commander'
import { entryOf, type TriggerField, triggerNames } from '../../../controls/triggers/table.ts'
import { addFlag } from '../../generate/flags.ts'
import { fieldOf } from '../../generate/form.ts'
import { LAST } from '../../session/last-sent.ts'
import { type Run, setAction } from '../../session/session.ts'
import { FLAGS, flagsOf } from './flags.ts'
import { list, trigger } from './run.ts'

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

export const help = () => {
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
