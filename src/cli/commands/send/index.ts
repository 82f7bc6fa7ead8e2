import type { Command } from 'commander'
import { delimiterOf } from '../../generate/csv.ts'
import { countOf } from '../../generate/flags.ts'
import { parserOf } from '../../process/parser-of.ts'
import { type Run, setAction } from '../../session/session.ts'
import { intervalOption, settleOption } from '../../session/watching.ts'
import { addSendFlags } from './options.ts'
import { type SendFlags, send } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program.command('send').description('Send a message over RCS or email')
  const { suggestions, flagOf } = addSendFlags(command)
  command
    .option('--watch', 'follow the message; exit with 7 unless it arrives')
    .addOption(settleOption().hideHelp())
    .addOption(intervalOption().hideHelp())
    .optionsGroup('Many messages:')
    .option('--batch <file>', 'file of messages: JSON lines or CSV')
    .option('--delimiter <character>', 'separator of the cells of a CSV file', delimiterOf, ',')
    .option('--concurrency <number>', 'number of parallel sends', atLeastOne, 8)
    .option('--resume', 'send the rest of the file')
    .option('--batch-name <name>', 'batch name, used by --resume (default: file name)')
    .optionsGroup('')
  setAction(
    command,
    run,
    {
      group: 'messaging',
      effect: 'writes',
      needs: 'service',
      exits: ['expectation'],
      typedAs: flagOf,
    },
    (session, [to], options: SendFlags) =>
      send(session, { ...options, ...(to === undefined ? {} : { to }), suggestions }),
  )
}

const atLeastOne = parserOf((text) => countOf(text) || undefined, 'It must be at least 1.')
