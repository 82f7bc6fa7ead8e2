import type { Machine, Row } from '../../words/machine.ts'
import { Problem, problem } from '../../words/problem.ts'
import { leadsTo, statesBefore } from './rules.ts'

/** What is moved, as a refusal speaks of it. */
export interface Subject {
  event: string
  /** The field of the request that named it. */
  field: string
  id: string
  /** Where it stands; null where it is nowhere. */
  state: string | null
}

interface Why {
  /** Which precondition it is: wrong_state, already, wrong_channel … */
  code: string
  /** A whole sentence. */
  message: string
  /** The states from which it is possible, where its state stands against it. */
  needs?: readonly string[]
}

/** The refusal of a trigger: which precondition fails, where the thing stands, and what it would need. */
export const unmet = ({ event, field, id, state }: Subject, { code, message, needs = [] }: Why): Problem =>
  problem('trigger_precondition_failed', message, {
    details: [{ field, code, message: message.replace(/\.$/, '') }],
    event,
    subject: id,
    state,
    needs,
  })

/**
 * No step leads from the state of the subject to the event. `hint` says what comes first, `by` which triggers may be taken
 * on the way.
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

/** Its state is none of those that it needs; `isThere` says that it is where the event would bring it. */
export function wrongState(subject: Subject, needs: readonly string[], isThere: boolean, hint = ''): Problem {
  const { event, id, state } = subject
  const message = isThere
    ? `${id} is ${state} already; nothing was changed.`
    : `${id} is ${state}; for ${event} it must be ${listed(needs)}.${hint && ` ${hint}`}`
  return unmet(subject, { code: isThere ? 'already' : 'wrong_state', message, needs })
}

const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Does what others do too, and tells their refusals as that of a trigger. */
export function within<T>(subject: Subject, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error
    throw unmet(subject, { code: error.code, message: error.message })
  }
}
