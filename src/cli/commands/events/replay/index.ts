import type { Command } from 'commander'
import { addPair, countOf } from '../../../generate/flags.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { targetOf } from '../../../session/target.ts'
import { durationOption } from '../../../target/globals.ts'
import { eventsOption, notOption, whereOption } from '../../listen/filters.ts'
import { headerOption } from '../../listen/routes.ts'
import { type ReplayFlags, replay } from './run.ts'

export function addReplay(group: Command, run: Run) {
  const command = group
    .command('replay')
    .argument('[ids...]', 'ids of events, or their positions in the log; else all that the filters let through')
    .description('Deliver events again, same ids and bytes, to the endpoints subscribed to them now, or to a URL')
    .addOption(eventsOption())
    .addOption(notOption())
    .addOption(whereOption())
    .option('--subject <id>', 'only events of this message, contact or other record')
    .option('--since <start|2h|event>', 'from the start, from so long ago, or after an event')
    .option('--limit <number>', 'so many at most, the oldest first', countOf)
    .option('--endpoint <id>', 'to this endpoint only')
    .option('--to <url>', 'POST it from here, once: a URL, host:port/path or port/path', targetOf)
    .option(
      '--set <field=value>',
      'with --to: change a field before it is signed: data.status=failed (repeatable)',
      addPair,
    )
    .option('--resign', 'with --to: sign with the key of --secret or SANDBOX_WEBHOOK_SECRET, and with no other')
    .option('--secret <secret>', "with --to: key of the signature; else SANDBOX_WEBHOOK_SECRET, else listen's")
    .addOption(headerOption('with --to: '))
    .addOption(durationOption('--timeout <duration>', 'with --to: how long your server may take', '5s'))
    .addHelpText('after', AFTER)
  setAction(command, run, (session, ids, options: ReplayFlags) =>
    replay(session, (ids as unknown as [string[]])[0], options),
  )
}

const AFTER = `
Without --set the bytes are those of the log, so a server that keeps the ids of events knows them again.
With --to it exits with 7 when your server answers no 2xx.

POST /_sandbox/events/{id}/replay

Examples:
  $ sandbox events replay evt_…
  $ sandbox events replay 42 --to 3000/hook
  $ sandbox events replay --events message.failed --since 2h --to 3000/hook
  $ sandbox events replay 42 --to 3000/hook --set data.status=failed`
