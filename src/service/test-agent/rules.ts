import type { ProblemCode } from '../../words/problem.ts'
import { MESSAGES_PER_NUMBER } from './contract.ts'
import type { RegistrationRow } from './store.ts'

/** Attempts per code. */
export const TRIES_PER_CODE = 5

export const codeOf = (draw: number): string => String(Math.floor(draw * 1_000_000)).padStart(6, '0')

type CodeRefusal = Extract<ProblemCode, 'invalid_code' | 'code_expired'>

/** Refuses a wrong or expired code. Only wrong guesses at a live code count. */
export function refuseCode(
  row: RegistrationRow | undefined,
  input: { phone: string; code: string },
  now: number,
): { refusal: CodeRefusal; isGuess: boolean } | undefined {
  if (row?.phone !== input.phone) return { refusal: 'invalid_code', isGuess: false }
  if (now >= row.code_expires_at || row.tries_left === 0) return { refusal: 'code_expired', isGuess: false }
  return row.code === input.code ? undefined : { refusal: 'invalid_code', isGuess: true }
}

export interface TestSendFacts {
  registration: Pick<RegistrationRow, 'phone' | 'status'> | undefined
  to: string
  /** Messages sent to the number so far. */
  used: number
}

/** All targets but the caller's verified phone get the same answer (interface §5, rule 5). */
export function refuseTestSend({ registration, to, used }: TestSendFacts) {
  if (registration?.status !== 'VERIFIED' || registration.phone !== to) return 'test_agent_forbidden'
  return used >= MESSAGES_PER_NUMBER ? 'test_agent_limit_reached' : undefined
}
