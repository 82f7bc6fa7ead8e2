import { Refusal } from '../../client/call.ts'
import { InvalidAnswer } from '../../client/invalid-answer.ts'
import { operationOf } from '../../client/operation-of.ts'
import { until } from '../../waiting/until.ts'
import { isRecord } from '../../words/json.ts'
import { valueAt } from '../../words/path.ts'
import { UNDERWAY_STATUSES } from '../../words/statuses.ts'
import { ask, type CallAnswer, type ScenarioTarget } from '../target.ts'
import { fill, UnresolvedReference, type Variables } from '../template.ts'
import { limitsOf } from '../waiting.ts'
import { closedSetsOf } from './closed-sets.ts'
import { type Drift, differencesOf } from './compare.ts'
import type { Probe } from './probes.ts'
import { type Shape, shapeOf } from './shape.ts'

/** One side of the comparison, with its ids. */
export interface Side {
  target: ScenarioTarget
  vars: Variables
}

/** Shapes of answers by probe, which can be stored and compared again. */
export type Answers = Readonly<Record<string, Shape>>

/** Each message to a real service costs money and reaches a person. */
export const MAX_MESSAGES = 5

const nameOf = ({ operation, name }: Probe) => `${operation}: ${name}`

export const messagesIn = (probes: readonly Probe[]): number =>
  probes.filter(({ live, operation }) => live === 'send' && operationOf(operation).method === 'post').length

/** Makes all probes; those that need the answer of a failed one are left out. */
export async function answersOf({ target, vars }: Side, probes: readonly Probe[]): Promise<Record<string, Shape>> {
  const values: Record<string, unknown> = { ...vars }
  const answers: Record<string, Shape> = {}
  if (messagesIn(probes) > MAX_MESSAGES) throw new Error(`a run sends at most ${MAX_MESSAGES} messages`)
  for (const probe of probes) {
    for (const [name, value] of Object.entries(probe.set ?? {})) values[name] = filled(value, values)
    const input = filled({ ...probe.with, $key: probe.idempotencyKey ?? null }, values)
    if (input === undefined) continue
    const { $key: key, ...fields } = input
    const endpoint =
      probe.apiKey === undefined ? target.endpoint : { ...target.endpoint, apiKey: probe.apiKey || undefined }
    const look = () =>
      ask({ ...target, endpoint }, probe.operation, fields, {
        idempotencyKey: (key as string | null) ?? undefined,
        // Answers that differ from the interface are what drift looks for.
        isUnchecked: true,
      })
    const answer = probe.settles ? await settled(target, look) : await look()
    if (probe === probes[0]) refuseOther(answer, probe)
    answers[nameOf(probe)] = withRepeats(shapeOf(answer, closedSetsOf(probe.operation)), probe, answer.body, values)
    for (const [name, path] of Object.entries(probe.save ?? {})) {
      const value = valueAt(answer.body, path)
      if (value !== undefined && value !== null) values[name] = value
    }
  }
  return answers
}

/** With a wrong key, or from another program, every answer would differ. */
function refuseOther({ status, headers, body }: CallAnswer, { operation }: Probe) {
  const isJson = typeof body === 'object' && body !== null
  if (status === 401 || (status >= 400 && !isJson))
    throw new Refusal(status, isRecord(body) ? body : {}, headers, operation)
  const fault = `${headers['content-type'] ?? 'no content type'} instead of JSON`
  if (!isJson) throw new InvalidAnswer({ status, headers, body: Buffer.from(String(body ?? '')) }, fault, operation)
}

/** A service limits its requests. */
const LOOK_EVERY_MS = 1_000

/** The last answer, which may still be on its way when the time is up. */
async function settled(target: ScenarioTarget, look: () => Promise<CallAnswer>): Promise<CallAnswer> {
  let last: CallAnswer | undefined
  await until(
    { ...limitsOf(target, 'messages.get'), ...(target.isEmulator ? {} : { everyMs: LOOK_EVERY_MS }) },
    async () => {
      last = await look()
      return UNDERWAY_STATUSES.some((status) => status === valueAt(last!.body, 'status')) ? undefined : last
    },
  )
  return last!
}

/** Notes whether a repeated call got the values of the first answer. */
function withRepeats(shape: Shape, { repeats = {} }: Probe, body: unknown, values: Variables): Shape {
  const compared = Object.entries(repeats).filter(([path, name]) => valueAt(body, path) !== undefined && name in values)
  const notes = compared.map(([path, name]) => [
    path,
    valueAt(body, path) === values[name] ? 'the value of the first answer' : 'another value than in the first answer',
  ])
  return { ...shape, fields: { ...shape.fields, ...Object.fromEntries(notes) } }
}

/** Undefined if a variable is missing. */
function filled<T>(value: T, values: Variables): T | undefined {
  try {
    return fill(value, values) as T
  } catch (error) {
    if (error instanceof UnresolvedReference) return undefined
    throw error
  }
}

export interface Comparison {
  /** Probes answered by both sides. */
  compared: number
  /** Probes for which one side had no record. */
  left_out: string[]
  differences: Drift[]
}

export function compare(probes: readonly Probe[], emulator: Answers, service: Answers): Comparison {
  const both = probes.filter((probe) => emulator[nameOf(probe)] && service[nameOf(probe)])
  return {
    compared: both.length,
    left_out: probes.map(nameOf).filter((name) => !emulator[name] || !service[name]),
    differences: both.flatMap((probe) => {
      const { section = '' } = operationOf(probe.operation)
      return differencesOf(emulator[nameOf(probe)]!, service[nameOf(probe)]!).map((found) => ({
        operation: probe.operation,
        section,
        probe: probe.name,
        ...found,
      }))
    }),
  }
}
