import type { ProblemCode } from '../../words/problem.ts'
import { MESSAGES_PER_NUMBER } from './contract.ts'
import type { RegistrationRow } from './store.ts'

/** A code may be tried so often before a new one is needed. */
export const TRIES_PER_CODE = 5

/** Six digits of a draw in [0, 1). */
export const codeOf = (draw: number): string => String(Math.floor(draw * 1_000_000)).padStart(6, '0')

type CodeRefusal = Extract<ProblemCode, 'invalid_code' | 'code_expired'>

/** Refuses a code that does not prove that the caller holds the phone. A wrong one counts only as a guess at a live code. */
export function refuseCode(
  row: RegistrationRow | undefined,
  given: { phone: string; code: string },
  now: number,
): { refusal: CodeRefusal; isGuess: boolean } | undefined {
  if (row?.phone !== given.phone) return { refusal: 'invalid_code', isGuess: false }
  if (now >= row.code_expires_at || row.tries_left === 0) return { refusal: 'code_expired', isGuess: false }
  return row.code === given.code ? undefined : { refusal: 'invalid_code', isGuess: true }
}

export interface TestSendFacts {
  registration: Pick<RegistrationRow, 'phone' | 'status'> | undefined
  to: string
  /** Messages that the number has got so far. */
  used: number
}

/** Interface §5, rule 5: who is not the caller's verified phone gets one and the same answer, whoever it is. */
export function refuseTestSend({ registration, to, used }: TestSendFacts) {
  if (registration?.status !== 'VERIFIED' || registration.phone !== to) return 'test_agent_forbidden'
  return used >= MESSAGES_PER_NUMBER ? 'test_agent_limit_reached' : undefined
}
