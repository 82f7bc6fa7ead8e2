import { type Command, InvalidArgumentError, Option } from 'commander'
import type { AnswerTo } from '../../../client/answers.ts'
import { definedFields } from '../../../words/fields.ts'
import { parseShare } from '../../../words/percent.ts'
import { numberOf, repeated } from '../../generate/flags.ts'
import { fieldOf } from '../../generate/form.ts'
import { usage } from '../../process/exit.ts'
import { objectIn } from '../../process/files.ts'
import { callOperation } from '../../session/call-operation.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { carrierForPeople, carriersForPeople } from './sentences.ts'

const choicesOf = (field: string) => fieldOf('carriers.update', field).choices!

/** The reasons why messages of a carrier may fail. */
const REASONS = choicesOf('failed')

interface SetFlags {
  data?: string
  all?: boolean
  preset?: string
  fail?: Failure[]
  reason?: string
  delivered?: number
  never?: number
  read?: number
  delay?: string
  dispatchDelay?: string
  failureDelay?: string
  readDelay?: string
  outage?: boolean
  throughput?: number | 'off'
  weight?: number
}

/** A failing share, whose reason stands with it or in --reason. */
interface Failure {
  share: number
  reason?: string
}

export function addSet(group: Command, run: Run) {
  const command = group
    .command('set')
    .description('Change how a simulated carrier treats what is sent from now on')
    .argument('[name]', 'carrier, as sandbox carriers list shows it')
    .option('--all', 'all carriers alike, instead of one')
    .addOption(
      new Option('--preset <preset>', 'a whole character; other flags go over it').choices(choicesOf('preset')),
    )
    .option('--fail <share>', 'share that fails: 20% with --reason, or REASON=20% (repeatable)', repeated(failureOf))
    .addOption(new Option('--reason <reason>', 'why the share of --fail fails').choices(REASONS))
    .option('--never <share>', 'share that is neither delivered nor failed', shareOf)
    .option('--delivered <share>', 'share that arrives; what the others leave unless given', shareOf)
    .option('--read <share>', 'share of the delivered ones that are read', shareOf)
    .option('--delay <delay>', 'from dispatched to delivered: 2s, 2s..5s, or ~1s..8s')
    .option('--dispatch-delay <delay>', 'from queued to dispatched')
    .option('--failure-delay <delay>', 'from dispatched to failed')
    .option('--read-delay <delay>', 'from delivered to read')
    .option('--outage', 'takes no message while it lasts (--no-outage ends it)')
    .addOption(new Option('--no-outage').hideHelp())
    .option('--throughput <rate>', 'most messages: 10/s, 600/m, or off', rateOf)
    .option('--weight <number>', 'its part of the ordinary phone numbers, against the others', numberOf)
    .option('--data <file>', 'JSON file with the whole body, - for stdin; flags add to it')
    .addHelpText('after', AFTER)
  setAction(command, run, (session, [name], options: SetFlags) => set(session, name, options))
}

const AFTER = `
A share is 20% or 0.2. Those of --fail take the place of all that failed before; --fail 0% lets nothing fail.
A delay is fixed (2s), even between two (2s..5s), or log-normal (~1s..8s: nine of ten lie between, few take longer).

PATCH /_sandbox/carriers/{name}, with --all PATCH /_sandbox/carriers

Examples:
  $ sandbox carriers set nordfunk --fail 20% --reason REJECTED_SPAM --delay 2s..5s
  $ sandbox carriers set nordfunk --fail REJECTED_SPAM=10% --fail UNKNOWN_RCS_USER=5% --never 1%
  $ sandbox carriers set alpentel --throughput 10/s
  $ sandbox carriers set --all --preset flaky`

export function addReset(group: Command, run: Run) {
  const command = group
    .command('reset')
    .description('Put a simulated carrier back to what the world file says')
    .argument('[name]', 'carrier, as sandbox carriers list shows it')
    .option('--all', 'all carriers, instead of one')
    .addHelpText(
      'after',
      '\nPOST /_sandbox/carriers/{name}/reset, with --all POST /_sandbox/carriers/reset\n\nExamples:\n  $ sandbox carriers reset nordfunk\n  $ sandbox carriers reset --all',
    )
  setAction(command, run, (session, [name], options: { all?: boolean }) => reset(session, name, options))
}

async function set(session: Session, carrier: string | undefined, { all, ...flags }: SetFlags) {
  const name = oneOrAll(carrier, all)
  const payload = await bodyOf(session, flags)
  if (name === undefined)
    tellAll(session, await callOperation(session, 'carriers.updateAll', { payload }), 'are changed')
  else tellOne(session, await callOperation(session, 'carriers.update', { params: { name }, payload }), 'is changed')
}

async function reset(session: Session, carrier: string | undefined, { all }: { all?: boolean }) {
  const name = oneOrAll(carrier, all)
  if (name === undefined)
    tellAll(session, await callOperation(session, 'carriers.resetAll'), 'are as in the world file')
  else tellOne(session, await callOperation(session, 'carriers.reset', { params: { name } }), 'is as in the world file')
}

const tellOne = ({ output }: Session, answer: AnswerTo<'carriers.show'>, done: string) =>
  output.data(answer, (paint, shown) =>
    [`${paint.green('✓')} carrier ${shown.name} ${done}`, carrierForPeople(shown)(paint)].join('\n'),
  )
const tellAll = ({ output }: Session, answer: AnswerTo<'carriers.list'>, done: string) =>
  output.data(answer, (paint, shown) =>
    [`${paint.green('✓')} all carriers ${done}`, carriersForPeople(shown)(paint)].join('\n'),
  )

/** One carrier; undefined for all. */
function oneOrAll(name: string | undefined, all: boolean | undefined): string | undefined {
  if (name !== undefined && all) throw usage('Give the name of a carrier or --all, not both.')
  if (name === undefined && !all)
    throw usage('Which carrier?', 'Give its name, as sandbox carriers list shows it, or --all.')
  return name
}

async function bodyOf({ io }: Session, flags: SetFlags): Promise<Record<string, unknown>> {
  const whole = flags.data === undefined ? {} : await objectIn(io, flags.data)
  const said = {
    preset: flags.preset,
    failed: failedOf(flags),
    never_delivered: flags.never,
    delivered: flags.delivered,
    read: flags.read,
    delivery_delay: flags.delay,
    dispatch_delay: flags.dispatchDelay,
    failure_delay: flags.failureDelay,
    read_delay: flags.readDelay,
    outage: flags.outage,
    throughput: flags.throughput === 'off' ? null : flags.throughput,
    weight: flags.weight,
  }
  const given = definedFields(said)
  if (Object.keys(given).length === 0 && flags.data === undefined)
    throw usage('What is to change?', 'See: sandbox carriers set --help')
  return { ...whole, ...given }
}

/** Reads `--fail 20% --reason X` and `--fail X=20%` alike; refuses a reason given twice. */
function failedOf({ fail, reason }: SetFlags): Record<string, number> | undefined {
  if (fail === undefined) {
    if (reason !== undefined) throw usage('--reason says why a share of --fail fails, and --fail is not given.')
    return undefined
  }
  const bare = fail.filter((failure) => failure.reason === undefined)
  if (reason !== undefined && bare.length === 0) throw usage('Each --fail has its reason, so --reason belongs to none.')
  if (bare.length > 1) throw usage('Two shares fail for the same reason.', 'Write --fail REASON=share for each reason.')
  if (reason === undefined && bare.some(({ share }) => share > 0))
    throw usage('Why does it fail?', `Give --reason, one of ${REASONS.join(', ')}.`)
  const shares: Record<string, number> = {}
  for (const failure of fail) {
    const why = failure.reason ?? reason
    if (why === undefined) continue
    if (why in shares) throw usage(`${why} is given twice.`)
    shares[why] = failure.share
  }
  return shares
}

function failureOf(text: string): Failure {
  const [, reason, share] = /^(?:([^=]*)=)?(.*)$/s.exec(text)!
  if (reason === undefined) return { share: shareOf(share!) }
  if (!REASONS.includes(reason)) throw new InvalidArgumentError(`"${reason}" is none of ${REASONS.join(', ')}.`)
  return { reason, share: shareOf(share!) }
}

function shareOf(text: string): number {
  const share = parseShare(text)
  if (share === undefined) throw new InvalidArgumentError('It must be a share such as 20% or 0.2.')
  return share
}

/** In messages per second. */
function rateOf(text: string): number | 'off' {
  if (text === 'off') return text
  const [, count, unit] = /^(\d+(?:\.\d+)?)(?:\/(s|m))?$/.exec(text) ?? []
  if (count === undefined || Number(count) === 0)
    throw new InvalidArgumentError('It must be a rate such as 10/s or 600/m, or off.')
  return unit === 'm' ? Number(count) / 60 : Number(count)
}
