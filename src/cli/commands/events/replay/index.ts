import type { Command } from 'commander'
import { addPair, countOf } from '../../../generate/flags.ts'
import { subjectOption } from '../../../session/last-sent.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { durationOption } from '../../../target/globals.ts'
import { handlerUrlOf } from '../../../target/handler.ts'
import { eventsOption, notOption, whereOption } from '../../listen/filters.ts'
import { headerOption } from '../../listen/routes.ts'
import { replay } from './run.ts'

export function addReplay(group: Command, run: Run) {
  const command = group
    .command('replay')
    .argument('[ids...]', 'event ids or positions, or filters instead')
    .description('Deliver events again to their endpoints or to a URL')
    .addOption(eventsOption())
    .addOption(notOption())
    .addOption(whereOption())
    .option('--subject <id>', subjectOption.describe)
    .option('--failed', 'only events whose newest delivery to an endpoint failed, to that endpoint')
    .option('--since <start|2h|event>', 'begin at the start, 2h ago, or after an event')
    .option('--limit <number>', 'maximum number of events, oldest first', countOf)
    .option('--endpoint <id>', 'deliver to this endpoint only')
    .option('--to <url>', 'POST once from this machine: URL, host:port/path or port/path', handlerUrlOf)
    .option('--set <field=value>', '--to: changed field, signed again (repeatable)', addPair)
    .option('--resign', '--to: sign with --secret or SANDBOX_WEBHOOK_SECRET only')
    .option('--secret <secret>', '--to: signing secret (env: SANDBOX_WEBHOOK_SECRET) (default: the one of listen)')
    .addOption(headerOption('--to: '))
    .addOption(durationOption('--timeout <duration>', '--to: time for an answer', '5s'))
    .addHelpText('after', NOTES)
  setAction(
    command,
    run,
    {
      effect: 'writes',
      needs: 'sandbox',
      exits: ['expectation'],
      typedAs: { event: '--events', endpoint_id: '--endpoint' },
    },
    replay,
  )
}

const NOTES = `
A replay has the same ids and bytes, unless --set changes them. The exit code is 7 when your server does not answer 2xx.

POST /_sandbox/events/{id}/replay

Examples:
  $ sandbox events replay evt_…
  $ sandbox events replay --failed
  $ sandbox events replay 42 --to 3000/hook
  $ sandbox events replay --events message.failed --since 2h --to 3000/hook
  $ sandbox events replay 42 --to 3000/hook --set data.status=failed`
