import { type MissingEvent, missingInWords, nearestInWords } from '../waiting/event-wait.ts'
import { until } from '../waiting/until.ts'
import { nameWithin } from '../words/field-name.ts'
import { DURATION_PATTERN } from '../words/milliseconds.ts'
import { valueAt } from '../words/path.ts'
import { UNDELIVERED_STATUSES } from '../words/statuses.ts'
import { isSuccess } from '../words/success.ts'
import type { EventReader } from './events.ts'
import { StepFailure } from './failure.ts'
import { differences, inWords, isMet } from './match.ts'
import type { StepOf, Verb } from './schema.ts'
import { ask, askFor, type CallAnswer, type ScenarioTarget } from './target.ts'
import { short } from './template.ts'
import { limitsOf, WITHIN } from './waiting.ts'

interface Context {
  target: ScenarioTarget
  events: EventReader
  /** Called with each answer, before it is compared. */
  answered(content: unknown): void
}

type Saved = Record<string, unknown>
type Simple = Exclude<Verb, 'repeat' | 'each' | 'steps'>

/** The action of each kind of step; returns the variables that it sets. */
export const stepActions: { readonly [V in Simple]: (step: StepOf<V>, context: Context) => Promise<Saved> } = {
  async call(step, { target, answered }) {
    const answer = await answerTo(step, target, answered)
    judge(step, answer)
    expectation(step.expect, answer.body, answer)
    return saved(step.save, answer.body)
  },
  async wait(step, { events }) {
    const outcome = await events.wait(step)
    if ('missing' in outcome) throw missingEvent(step, outcome.missing)
    const { data } = outcome
    expectation(step.expect, data)
    return saved(step.save, data)
  },
  async advance({ advance }, { target }) {
    const to = advance === 'next' ? { next: true } : DURATION_PATTERN.test(advance) ? { by: advance } : { to: advance }
    await askFor(target, 'clock.advance', to)
    return {}
  },
  async carriers({ carriers }, { target }) {
    for (const [name, change] of Object.entries(carriers))
      if (name === 'all') await askFor(target, 'carriers.updateAll', change)
      else await askFor(target, 'carriers.update', { ...change, name })
    return {}
  },
  set: async ({ set }) => set,
  async check({ check, expect }) {
    expectation(expect, check)
    return {}
  },
}

async function answerTo(
  { call, with: input, idempotency_key, status, refused, until: wanted, within = WITHIN }: StepOf<'call'>,
  target: ScenarioTarget,
  answered: Context['answered'],
): Promise<CallAnswer> {
  const expectsRefusal = refused !== undefined || (status ?? 0) >= 400
  const once = async () => {
    const answer = await ask(target, call, input, { idempotencyKey: idempotency_key, expectsRefusal })
    answered(answer.body)
    return answer
  }
  if (wanted === undefined) return once()
  let last: CallAnswer | undefined
  const outcome = await until(limitsOf(target, call, within), async () => {
    last = await once()
    return isMet(wanted, last.body) || hasEndedOtherwise(call, wanted, last.body) ? last : undefined
  })
  const missing = differences(wanted, last!.body)
  if (missing.length === 0) return last!
  const isTimeout = !('found' in outcome)
  const lack = isTimeout ? `was not as expected within ${within}` : 'cannot be as expected any more'
  throw new StepFailure(`${lack}: ${missing.map(inWords).join('; ')}`, {
    ...{ field: 'until', differences: missing, isTimeout },
    answer: last,
  })
}

/** Whether a message has a final status that is not the wanted one. */
const hasEndedOtherwise = (call: string, wanted: unknown, body: unknown): boolean =>
  call === 'messages.get' &&
  UNDELIVERED_STATUSES.some((end) => end === valueAt(body, 'status')) &&
  differences(wanted, body).some(({ path }) => path === 'status')

/** The event did not arrive: the reason and the nearest miss, in the words of `expect`. */
function missingEvent(step: StepOf<'wait'>, missing: MissingEvent): StepFailure {
  const { wait, within = WITHIN } = step
  const { nearest, endedBy, ending } = missing
  const message = nearest?.event.data.message_id ?? endedBy?.data.message_id
  return new StepFailure(
    [missingInWords(wait, 1, within, missing), nearestInWords(missing)].filter(Boolean).join(' '),
    {
      ...{ field: 'wait', wait: step },
      isTimeout: ending === 'time is up',
      ...(typeof message === 'string' ? { message } : {}),
    },
  )
}

/** Compares the status or refusal with the step's expectation. */
function judge({ call, status, refused }: StepOf<'call'>, answer: CallAnswer) {
  const {
    error,
    message,
    details = [],
  } = (answer.body ?? {}) as { error?: string; message?: string; details?: { field: string; message: string }[] }
  const text = details.length > 1 ? details.map(({ field, message }) => `${field}: ${message}`).join('; ') : message
  const isGood = isSuccess(answer.status)
  const was = isGood ? `${answer.status}` : `${answer.status} ${error ?? ''}: ${text ?? short(answer.body)}`
  if (refused !== undefined && (isGood || error !== refused))
    throw new StepFailure(`${call} should be refused with ${refused}, but answered ${was}`, {
      field: 'refused',
      answer,
    })
  if (status !== undefined && answer.status !== status)
    throw new StepFailure(`${call} should answer ${status}, but answered ${was}`, { field: 'status', answer })
  if (!isGood && refused === undefined && status === undefined) {
    const field = details[0]?.field ? `with.${details[0].field}` : 'call'
    throw new StepFailure(`${call} answered ${was}`, { field, answer })
  }
}

function expectation(expected: unknown, actual: unknown, answer?: CallAnswer) {
  if (expected === undefined) return
  const found = differences(expected, actual)
  const [first] = found
  if (first)
    throw new StepFailure(found.map(inWords).join('; '), {
      field: nameWithin('expect', first.path),
      differences: found,
      answer,
    })
}

const saved = (save: Readonly<Record<string, string>> = {}, from: unknown): Saved =>
  Object.fromEntries(
    Object.entries(save).map(([name, path]) => {
      const value = valueAt(from, path)
      if (value === undefined)
        throw new StepFailure(`the answer has no ${path}: it is ${short(from)}`, { field: `save.${name}` })
      return [name, value]
    }),
  )
