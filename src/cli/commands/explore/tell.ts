import type { Explored, Failure, SearchPace } from '../../../handlers/explore/options.ts'
import { quantity } from '../../../words/number-text.ts'
import type { Paint } from '../../output/paint.ts'
import { printable } from '../../output/printable.ts'
import type { ExploreFlags } from './flags.ts'

export function reportOf(explored: Explored, flags: ExploreFlags, paint: Paint): string {
  const { failure, interrupted, out_of_time, coverage, seed, unrepeated } = explored
  const notes = [
    ...(unrepeated.length > 0 ? [unrepeatedInWords(unrepeated, interrupted || out_of_time)] : []),
    ...(explored.failure || explored.not_compared.length === 0
      ? []
      : [
          `Compared: ${explored.compared.join(', ') || 'calls only'}. Not in the truth probe: ${explored.not_compared.join(', ')}.`,
        ]),
    ...(explored.other_traffic ? ['Events of others changed the counters, so "counts" was not compared.'] : []),
  ].map((note) => paint.dim(note))
  if (!failure)
    return [
      interrupted || out_of_time
        ? `${interrupted ? 'interrupted' : 'stopped by --time-limit'}: ${untilThen(explored)}: ${coverage.summary} ${paint.dim(`(seed ${seed})`)}`
        : `${paint.green('✓')} every belief was right: ${coverage.summary} ${paint.dim(`(seed ${seed})`)}`,
      ...(explored.audited || interrupted ? [] : [paint.dim(NOT_AUDITED)]),
      ...notes,
    ].join('\n')
  return [...failureLines(explored, failure, flags, paint), ...notes].join('\n')
}

const MOST_SEEDS = 5

function unrepeatedInWords(unrepeated: Explored['unrepeated'], isEarly: boolean): string {
  const seeds = unrepeated.map(({ seed }) => seed)
  const more = seeds.length > MOST_SEEDS ? [`${seeds.length - MOST_SEEDS} more`] : []
  const { code, message } = unrepeated[0]!.findings[0]!
  const since = isEarly ? `${seeds.length === 1 ? 'has' : 'have'} not failed again so far` : 'passed when repeated'
  return `${quantity(seeds.length, 'schedules')} failed once and ${since}: ${[...seeds.slice(0, MOST_SEEDS), ...more].join(', ')}. The first finding: ${code}: ${printable(message)}`
}

function untilThen(explored: Explored): string {
  if (explored.unsettled) return `${explored.unsettled}, and a longer search would judge that`
  return hasJudged(explored) ? 'every belief was right until then' : 'nothing was tested'
}

/** The time was enough for a flow at least. */
export const hasJudged = ({ schedules }: Explored): boolean => schedules > 0

/** Answers that make a search slow; below it, the work after them does. */
const SLOW_ANSWER_MS = 100

/** Warns of a search that will not end within its limit. */
export function paceInWords({ answerMs, totalMs, limitMs }: SearchPace): string | undefined {
  if (limitMs === 0 || totalMs <= limitMs) return undefined
  const cause =
    answerMs < SLOW_ANSWER_MS ? 'At this pace,' : `Your handler answers in ${(answerMs / 1_000).toFixed(1)} s, so`
  return `${cause} all schedules would take about ${spanOf(totalMs)}. The search stops after ${limitMs % 60_000 === 0 ? spanOf(limitMs) : `${limitMs / 1_000} s`}: change it with --time-limit, or limit it with --flows or --schedules.`
}

const spanOf = (ms: number) => {
  const minutes = Math.round(ms / 60_000)
  return minutes < 100 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

const NOT_AUDITED =
  'The application did not call the sandbox, so no sends were audited. If it sends, use --start, or --port and send to that port.'

function failureLines(
  { schedules, interrupted }: Explored,
  failure: Failure,
  { save, saveTest }: ExploreFlags,
  paint: Paint,
): string[] {
  const { repeated } = failure
  const [title, ...lines] = failure.story.split('\n').map(printable)
  const keep = save || saveTest ? '' : ', keep it with --save FILE or --save-test FILE'
  const isRefused = failure.findings[0]!.code === 'all-refused'
  const found = `found in schedule ${schedules}; this is the smallest ${interrupted ? 'found so far' : 'one that fails'}`
  return [
    `${paint.red('✗')} ${isRefused ? 'the handler accepts nothing, so nothing was explored' : found}`,
    '',
    paint.bold(title!),
    ...lines.map((line) => (line.startsWith('  ✗') ? paint.red(line) : line)),
    '',
    ...(repeated && repeated.failed < repeated.of
      ? [`It failed ${repeated.failed} of ${repeated.of} times: a race, which a repetition may miss.`]
      : []),
    paint.dim(`Details: docs/handlers.md#${failure.findings[0]!.code}`),
    ...(isRefused ? [] : [`Repeat it with --seed ${failure.seed}${keep}`]),
    ...[save, saveTest].filter((file) => file !== undefined).map((file) => `Written to ${file}.`),
  ]
}
