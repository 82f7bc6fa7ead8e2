import { operationOf } from '../check.ts'
import { ask, type Target } from '../target.ts'
import { at, fill, type Variables } from '../template.ts'
import { type Drift, differencesOf } from './compare.ts'
import type { Probe } from './probes.ts'
import { type Shape, shapeOf } from './shape.ts'

/** One side: what answers, and the ids that it knows. */
export interface Side {
  target: Target
  vars: Variables
}

/** Shapes of answers by probe, as they are kept to be compared again without the service. */
export type Answers = Readonly<Record<string, Shape>>

/** At a real service each of them costs money and rings a phone. */
export const MAX_MESSAGES = 5

export const nameOf = ({ operation, name }: Probe) => `${operation}: ${name}`

/** Asks all that can be asked: what needs the answer to another probe is left out where that had none. */
export async function answersOf({ target, vars }: Side, probes: readonly Probe[]): Promise<Record<string, Shape>> {
  const known: Record<string, unknown> = { ...vars }
  const answers: Record<string, Shape> = {}
  let messages = 0
  for (const probe of probes) {
    if (!isKnown(probe, known)) continue
    const isMessage = probe.live === 'send' && probe.operation === 'messages.send'
    if (isMessage && ++messages > MAX_MESSAGES) throw new Error(`a run sends at most ${MAX_MESSAGES} messages`)
    const endpoint =
      probe.apiKey === undefined ? target.endpoint : { ...target.endpoint, apiKey: probe.apiKey || undefined }
    const given = fill(probe.with ?? {}, known) as Record<string, unknown>
    const answer = await ask({ ...target, endpoint }, probe.operation, given, probe.idempotencyKey)
    answers[nameOf(probe)] = shapeOf(answer)
    for (const [name, path] of Object.entries(probe.save ?? {})) {
      const value = at(answer.body, path)
      if (value !== undefined && value !== null) known[name] = value
    }
  }
  return answers
}

const isKnown = ({ with: given = {} }: Probe, known: Variables) =>
  Object.values(given).every((value) => typeof value !== 'string' || !/^\$\w+$/.test(value) || value.slice(1) in known)

export interface Comparison {
  /** Probes that both have answered. */
  compared: number
  /** Probes that one side had no record for. */
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
