import { type Command, InvalidArgumentError } from 'commander'
import { countOf } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { intervalOption, settleOption } from '../../session/watching.ts'
import { addSendFlags } from './options.ts'
import { type SendFlags, send } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program.command('send').helpGroup('Messages:').description('Send a message over RCS or email')
  const suggestions = addSendFlags(command)
  command
    .optionsGroup('Following it:')
    .option('--watch', 'follow the message until it ends, as messages watch does')
    .addOption(settleOption())
    .addOption(intervalOption())
    .optionsGroup('Many at once:')
    .option('--batch <file>', 'send each row of a file of JSON lines or CSV, - for stdin; flags say what all rows have')
    .option('--concurrency <number>', 'so many at a time', atLeastOne, 8)
    .option('--resume', 'the file was sent in part: send what is missing')
    .option('--batch-name <name>', 'by which the rows are known again; else the name of the file')
    .optionsGroup('')
  setAction(command, run, (session, [to], options: SendFlags) =>
    send(session, { ...options, ...(to === undefined ? {} : { to }), suggestions }),
  )
}

function atLeastOne(text: string): number {
  const count = countOf(text)
  if (count === 0) throw new InvalidArgumentError('It must be at least 1.')
  return count
}
