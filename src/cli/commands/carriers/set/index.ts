import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseShare } from '../../../../words/percent.ts'
import { numberOf, repeated } from '../../../generate/flags.ts'
import { parserOf } from '../../../process/parser-of.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { choicesOf, type FailingShare, REASONS, set } from './run.ts'

export function addSet(group: Command, run: Run) {
  const command = group
    .command('set')
    .description('Change how a simulated carrier handles new messages')
    .argument('[name]', 'carrier: nordfunk, rheinmobil or alpentel in the default world')
    .option('--all', 'all carriers instead of one')
    .addOption(new Option('--preset <preset>', 'values that other options override').choices(choicesOf('preset')))
    .option('--fail <share>', 'share failed: 20% with --reason, or REASON=20% (repeatable)', repeated(failureOf))
    .addOption(new Option('--reason <reason>', 'reason of --fail').choices(REASONS))
    .option('--never <share>', 'share never delivered; it expires', shareOf)
    .option('--delivered <share>', 'share delivered (default: the rest)', shareOf)
    .option('--read <share>', 'share of delivered messages that are read', shareOf)
    .option('--delay <delay>', 'delay from dispatched to delivered: 2s, 2s..5s or ~1s..8s')
    .option('--dispatch-delay <delay>', 'delay from queued to dispatched')
    .option('--failure-delay <delay>', 'delay from dispatched to failed')
    .option('--read-delay <delay>', 'delay from delivered to read')
    .option('--outage', 'outage: messages wait until --no-outage ends it')
    .addOption(new Option('--no-outage').hideHelp())
    .option('--throughput <rate>', 'throughput limit: 10/s, 600/m or off', rateOf)
    .option('--weight <number>', 'relative share of ordinary phone numbers', numberOf)
    .option('--data <file>', 'JSON body: a file or -; --dry-run shows one')
    .addHelpText('after', NOTES)
  setAction(
    command,
    run,
    {
      effect: 'writes',
      needs: 'sandbox',
      typedAs: { failed: '--fail', never_delivered: '--never', delivery_delay: '--delay' },
    },
    set,
  )
}

const NOTES = `
A share is 20% or 0.2. --fail replaces all earlier failures; --fail 0% removes them. A delay is fixed (2s), random between two times (2s..5s) or log-normal
(~1s..8s: nine of ten lie between). "sandbox handsets list --contacts" shows the carrier of each phone.

PATCH /_sandbox/carriers/{name}; with --all: PATCH /_sandbox/carriers

Examples:
  $ sandbox carriers set nordfunk --fail 20% --reason REJECTED_SPAM --delay 2s..5s
  $ sandbox carriers set nordfunk --fail REJECTED_SPAM=10% --fail UNKNOWN_RCS_USER=5% --never 1%
  $ sandbox carriers set alpentel --throughput 10/s
  $ sandbox carriers set --all --preset flaky`

function failureOf(text: string): FailingShare {
  const [, reason, share] = /^(?:([^=]*)=)?(.*)$/s.exec(text)!
  if (reason === undefined) return { share: shareOf(share!) }
  if (!REASONS.includes(reason)) throw new InvalidArgumentError(`"${reason}" is not one of ${REASONS.join(', ')}.`)
  return { reason, share: shareOf(share!) }
}

const shareOf = parserOf(parseShare, 'It must be a share such as 20% or 0.2.')

/** In messages per second. */
const rateOf = parserOf((text) => {
  if (text === 'off') return text
  const [, count, unit] = /^(\d+(?:\.\d+)?)(?:\/(s|m))?$/.exec(text) ?? []
  return Number(count ?? 0) / (unit === 'm' ? 60 : 1) || undefined
}, 'It must be a rate such as 10/s or 600/m, or off.')
