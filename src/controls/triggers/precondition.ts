import type { Machine, Row } from '../../words/machine.ts'
import { Problem, problem } from '../../words/problem.ts'
import type { World } from '../../world/world.ts'
import type { Step, TriggerRequest } from './contract.ts'
import { leadsTo, statesBefore } from './rules.ts'
import type { TriggerName } from './table.ts'

/** The thing that a trigger moves, as a refusal names it. */
export interface Subject {
  event: string
  /** The field of the request that named it. */
  field: string
  id: string
  /** Its state; null where it has none. */
  state: string | null
}

interface Why {
  /** The precondition that fails: wrong_state, already, wrong_channel … */
  code: string
  /** A whole sentence. */
  message: string
  /** The states from which it is possible, where its state stands against it. */
  needs?: readonly string[]
}

/** Refuses a trigger: says which precondition fails, the state of the thing, and the states that it would need. */
export const unmet = ({ event, field, id, state }: Subject, { code, message, needs = [] }: Why): Problem =>
  problem('trigger_precondition_failed', message, {
    details: [{ field, code, message: message.replace(/\.$/, '') }],
    event,
    subject: id,
    state,
    needs,
  })

/**
 * No step leads from the state of the subject to the event. `hint` says what comes first, `by` which triggers may be
 * taken on the way.
 */
export function noStep<R extends Row>(
  table: Machine<R>,
  trigger: R[1],
  subject: Subject,
  hint = '',
  by: readonly string[] = [],
): Problem {
  return wrongState(subject, statesBefore(table, trigger, by), leadsTo(table, trigger, subject.state!), hint)
}

/** The state of the subject is none of those that the event needs; `isThere` says that the event would lead to it. */
export function wrongState(subject: Subject, needs: readonly string[], isThere: boolean, hint = ''): Problem {
  const { event, id, state } = subject
  const message = isThere
    ? `${id} is ${state} already; nothing was changed.`
    : `${id} is ${state}; for ${event} it must be ${listed(needs)}.${hint && ` ${hint}`}`
  return unmet(subject, { code: isThere ? 'already' : 'wrong_state', message, needs })
}

const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Runs work of another noun, and turns its refusals into those of a trigger. */
export function within<T>(subject: Subject, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error
    throw unmet(subject, { code: error.code, message: error.message })
  }
}

/** A move that a noun has made. */
export interface Moved {
  subject: string
  from: string
  to: string
  steps: readonly Step[]
  message_id?: string
}

/** Pulls a trigger. The contract has checked that the fields of the event are there. */
export type Pull = (world: World, request: TriggerRequest) => Moved

export type Pulls<Prefix extends string> = { readonly [E in Extract<TriggerName, `${Prefix}.${string}`>]: Pull }

/** Tells of a move that was a single step. */
export const oneStep = (subject: string, trigger: string, from: string, to: string): Moved => ({
  subject,
  from,
  to,
  steps: [{ trigger, from, to }],
})
