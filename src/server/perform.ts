import { z } from 'zod'
import { brokenField } from '../words/broken-fields.ts'
import { IdempotencyUuid } from '../words/ids.ts'
import { type Operation, problemsOf, requestLineOf, successStatuses } from '../words/operation.ts'
import { Problem, problem } from '../words/problem.ts'
import { Reply, Stream } from '../words/reply.ts'
import { MOST_FAULTS, validate } from '../words/validate.ts'
import type { Call, Route } from '../world/noun.ts'
import { answerOnce, replayKey, sameKey } from '../world/storage/replays.ts'
import type { World } from '../world/world.ts'
import type { ActionAnswer } from './answer.ts'
import { type Incoming, NOTHING } from './incoming.ts'

/**
 * Answers one call: idempotent replay, then the body, then the action, in one transaction (choices, "Order of checks").
 * With `checkAnswers` an answer that breaks its own contract is a bug and fails.
 */
export function perform(
  world: World,
  route: Route,
  incoming: Incoming,
  { checkAnswers }: { checkAnswers: boolean },
): ActionAnswer | Promise<ActionAnswer> {
  const { operation } = route
  const answer = (value: unknown) => outcomeOf(operation, value, checkAnswers)
  world.driver.noteRequest()
  if (isAsync(route)) return performAsync(world, route, incoming).then(answer)
  if (operation.method === 'get') return answerRead(world, answer(route.action(world, callOf(operation, incoming))))
  const outcome = world.batchedTransaction(() => performOnce(world, route, incoming, answer), {
    decidesFirst: route.mode === 'decidesFirst',
  })
  return afterCommit(world, outcome)
}

/** Covering the clock commits what was read, so a commit that fails there refuses the read too. */
function answerRead(world: World, outcome: ActionAnswer): ActionAnswer | Promise<ActionAnswer> {
  const committed = world.whenCommitted()
  world.coverAnswer()
  return committed ? committed.then(() => afterCommit(world, outcome)) : afterCommit(world, outcome)
}

/** Answers after the commit, so that nothing reported is lost. */
function afterCommit(world: World, outcome: ActionAnswer): ActionAnswer | Promise<ActionAnswer> {
  const committed = world.whenCommitted()
  return committed ? committed.then(() => outcome) : outcome
}

const isAsync = ({ mode }: Route) => mode !== 'transaction' && mode !== 'decidesFirst'

/** Runs an action that takes longer than a turn. A reset or restore of its world aborts it, and waits for its end. */
function performAsync(world: World, { operation, action, mode }: Route, incoming: Incoming): Promise<unknown> {
  const call = callOf(operation, incoming)
  if (mode === 'replacesWorld') return action(world, call) as Promise<unknown>
  return world.lifecycle.request(async (replaced) => {
    const { caller } = call
    const left = caller.signal
    const signal = AbortSignal.any([left, replaced])
    try {
      const perform = async () => action(world, { ...call, caller: { ...caller, signal } })
      const value = await (mode === 'letsTimePass' ? perform() : world.driver.whileClockWaits(perform))
      await world.whenCommitted()
      return value
    } catch (error) {
      if (replaced.aborted) throw world.lifecycle.end ?? problem('world_replaced')
      // A wait ends when its caller disconnects, who gets no answer, or when the server stops.
      throw left.aborted && (error as Error).name === 'AbortError' ? problem('shutting_down') : error
    }
  })
}

/** Carries out a request with an idempotency key once; repetitions get the first answer. */
function performOnce(
  world: World,
  { operation, action }: Route,
  incoming: Incoming,
  answer: (value: unknown) => ActionAnswer,
): ActionAnswer {
  const key = operation.idempotency && keyOf(incoming)
  const perform = () => answer(action(world, callOf(operation, incoming)))
  if (!key) return perform()
  const done = answerOnce(world, replayKey(operation.id, Object.values(incoming.params), key), incoming.body, perform)
  if (!('answer' in done)) return done
  return { status: done.status, headers: { ...JSON_TYPE, 'Idempotent-Replayed': 'true' }, body: done.answer }
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

/** Reads the idempotency key from header or body; two different ones are refused. Its form is checked with the body. */
function keyOf({ idempotencyKey, body }: Incoming): string | undefined {
  const inBody = (body as { idempotency_key?: unknown } | null)?.idempotency_key
  const key = typeof inBody === 'string' ? sameKey(inBody) : undefined
  if (idempotencyKey === undefined) return key
  if (inBody !== undefined && key !== sameKey(idempotencyKey))
    throw keyProblem('conflict', 'the header and the body give different keys')
  return sameKey(idempotencyKey)
}

function callOf(operation: Operation, incoming: Incoming): Call<Operation> {
  checkKey(operation, incoming)
  return {
    params: incoming.params,
    query:
      operation.query || incoming.hasQuery
        ? validate(operation.query ?? NO_QUERY, incoming.query, 'query', MOST_FAULTS)
        : NOTHING,
    body: bodyOf(operation, incoming.body),
    caller: incoming.caller,
  }
}

/** Refuses query parameters of operations without any, like unknown fields. */
const NO_QUERY = z.strictObject({})

function checkKey(operation: Operation, { idempotencyKey }: Incoming) {
  if (!operation.idempotency || idempotencyKey === undefined) return
  if (operation.idempotency === 'uuid' && !IdempotencyUuid.safeParse(idempotencyKey).success)
    throw keyProblem('invalid_format', 'must be a UUID')
  if (idempotencyKey.length === 0 || idempotencyKey.length > 255)
    throw keyProblem('invalid_format', 'must have 1 to 255 characters')
}

const keyProblem = (code: string, message: string) => brokenField('Idempotency-Key', code, message)

function bodyOf(operation: Operation, body: unknown): unknown {
  if (!operation.body) {
    if (body !== undefined && !isEmpty(body))
      throw problem('validation_error', `${requestLineOf(operation)} takes no body.`)
    return undefined
  }
  if (body === undefined && operation.bodyOptional) return validate(operation.body, {}, 'body')
  if (body === undefined) {
    const wanted = operation.accepts === undefined ? 'Send a JSON object.' : 'Send the bytes of a file.'
    throw problem('validation_error', `The body is missing or empty. ${wanted}`)
  }
  return validate(operation.body, body, 'body', MOST_FAULTS)
}

const isEmpty = (body: unknown) => typeof body === 'object' && body !== null && Object.keys(body).length === 0

/** nginx passes each event on at once. */
const UNBUFFERED = { 'X-Accel-Buffering': 'no' }

function outcomeOf(operation: Operation, value: unknown, check: boolean): ActionAnswer {
  if (value instanceof Stream)
    return { status: 200, headers: { 'Content-Type': operation.media!, ...UNBUFFERED }, body: value }
  const reply = value instanceof Reply ? value : new Reply(value)
  const status = reply.status ?? successStatuses(operation)[0]!
  if (check) checkAnswer(operation, status, reply.body)
  if (reply.body === undefined) return { status, headers: reply.headers, body: undefined }
  if (operation.media)
    return {
      status,
      headers: { 'Content-Type': operation.media, ...reply.headers },
      body: reply.body as string | Buffer,
    }
  return { status, headers: { ...JSON_TYPE, ...reply.headers }, body: JSON.stringify(reply.body) }
}

function checkAnswer(operation: Operation, status: number, body: unknown) {
  if (!successStatuses(operation).includes(status))
    throw new Error(`${operation.id} does not document status ${status}`)
  if (operation.media) return
  const result = (operation.output as z.ZodType).safeParse(body)
  if (!result.success) throw new Error(`${operation.id} breaks its own contract: ${result.error.message}`)
}

/** Returns an error for a refusal that its operation does not document, which is a bug; undefined for any other. */
export function undocumented(
  operation: Pick<Operation, 'id' | 'path' | 'idempotency' | 'problems' | 'access'>,
  error: unknown,
) {
  if (!(error instanceof Problem) || problemsOf(operation).has(error.code)) return undefined
  return new Error(`${operation.id} does not document ${error.code}: ${error.message}`)
}
