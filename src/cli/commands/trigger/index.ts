import { type Command, Option } from 'commander'
import { type TriggerField, triggerNames } from '../../../controls/triggers/table.ts'
import { addFlag } from '../../generate/flags.ts'
import { fieldOf } from '../../generate/form.ts'
import { LAST } from '../../session/last-sent.ts'
import { type Run, setAction } from '../../session/session.ts'
import { FLAGS, flagsOf } from './flags.ts'
import { list, trigger } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('trigger')
    .description('Trigger an event now on a message, agent, consent record or campaign')
    .argument('[event]', 'event to trigger; --list shows all')
    .option('--list', 'list the events with their options and conditions')
  for (const [name, flag] of Object.entries(FLAGS)) addField(command, name as TriggerField, flag)
  command.option('--data <file>', 'JSON body: a file or -; --dry-run shows one')
  command.addHelpText('after', notes)
  setAction(
    command,
    run,
    { group: 'simulating', effect: 'writes', needs: 'sandbox', typedAs: FLAGS },
    (session, [event], options) => (options.list ? list(session, event) : trigger(session, event, options)),
  )
}

function addField(command: Command, name: TriggerField, flag: string) {
  if (name === 'failure_reason') return
  if (name === 'rejection_reason') {
    const reasons = fieldOf('events.trigger', 'failure_reason').choices!
    command.addOption(
      new Option(`${flag} <reason>`, `reason: of a message ${reasons.join(', ')}; of an agent any text`),
    )
    return
  }
  const field = fieldOf('events.trigger', name)
  const description =
    name === 'message_id'
      ? `${field.description.replace(/\\.$/, '')}; "${LAST}" is the message that was sent last`
      : field.description
  addFlag(command, { ...field, description }, { flag })
}

const notes = () => {
  const byFlags = Map.groupBy(triggerNames, flagsOf)
  return `
A trigger overrides the planned outcome. When a condition is not met, the answer names it.
To have a message in progress, send to +491713920020, whose phone is off, or freeze the clock: "sandbox clock mode frozen".

Options and their events; "sandbox trigger --list" adds effects and conditions:
${[...byFlags].map(([flags, names]) => `  ${flags}  ${names.join(', ')}`).join('\n')}

POST /_sandbox/trigger

Examples:
  $ sandbox trigger message.read --message last
  $ sandbox trigger message.failed --message msg_… --reason REJECTED_SPAM
  $ sandbox trigger conversation.started --phone +491713920050 --text "Yes, please"
  $ sandbox trigger conversation.started --message last --index 0`
}
