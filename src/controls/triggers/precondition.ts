import type { Machine, Row } from '../../words/machine.ts'
import { Problem, problem } from '../../words/problem.ts'
import type { World } from '../../world/world.ts'
import type { UserAnswer } from '../handsets/contract.ts'
import type { TriggerRequest, TriggerStep } from './contract.ts'
import { leadsTo, statesBefore } from './rules.ts'
import type { TriggerName } from './table.ts'

/** The record that a trigger moves, as refusals name it. */
export interface TriggerSubject {
  event: string
  /** The field of the request that named it. */
  field: string
  id: string
  /** Its state; null if it has none. */
  state: string | null
}

interface FailedPrecondition {
  code: string
  message: string
  /** The states that would allow it, where the state is the obstacle. */
  needs?: readonly string[]
  /** Facts of the noun that refused. */
  extra?: Readonly<Record<string, unknown>>
}

/** Builds the refusal of a trigger, with the failed precondition, the current state and the needed ones. */
export const preconditionFailed = (
  { event, field, id, state }: TriggerSubject,
  { code, message, needs = [], extra = {} }: FailedPrecondition,
): Problem =>
  problem('trigger_precondition_failed', message, {
    ...extra,
    details: [{ field, code, message: message.replace(/\.$/, '') }],
    event,
    subject: id,
    state,
    needs,
  })

/**
 * Builds the refusal if no steps lead to the event. `hint` is the step to take first; `by` lists triggers allowed
 * on the way.
 */
export function noStep<R extends Row>(
  table: Machine<R>,
  trigger: R[1],
  subject: TriggerSubject,
  hint = '',
  by: readonly string[] = [],
): Problem {
  return wrongState(subject, statesBefore(table, trigger, by), leadsTo(table, trigger, subject.state!), hint)
}

/** Builds the refusal where the state does not allow the event. `isThere` says that the event has led here already. */
export function wrongState(subject: TriggerSubject, needs: readonly string[], isThere: boolean, hint = ''): Problem {
  const { event, id, state } = subject
  const message = isThere
    ? `${id} is ${state} already; nothing was changed.`
    : `${id} is ${state}; for ${event} it must be ${listed(needs)}.${hint && ` ${hint}`}`
  return preconditionFailed(subject, { code: isThere ? 'already' : 'wrong_state', message, needs })
}

const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Runs another noun's work and turns its 409 into the refusal of a trigger. */
export function asTriggerRefusal<T>(subject: TriggerSubject, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error
    throw preconditionFailed(subject, { code: error.code, message: error.message, extra: error.extra })
  }
}

export interface TriggerOutcome {
  subject: string
  from: string
  to: string
  steps: readonly TriggerStep[]
  answer?: UserAnswer
}

/** Carries out a trigger, whose fields the contract has checked. */
export type TriggerAction = (world: World, request: TriggerRequest) => TriggerOutcome

export type TriggerActions<Prefix extends string> = {
  readonly [E in Extract<TriggerName, `${Prefix}.${string}`>]: TriggerAction
}

export const oneStep = (subject: string, trigger: string, from: string, to: string): TriggerOutcome => ({
  subject,
  from,
  to,
  steps: [{ trigger, from, to }],
})
