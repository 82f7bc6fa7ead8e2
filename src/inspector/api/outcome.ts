import { sentence } from '../../words/sentence.ts'
/** What an action led to. The sandbox may have done it (`good`) and yet the result is a failure (`bad`), or is still to come. */
export interface Outcome {
  text: string
  tone: 'good' | 'waits' | 'bad'
}

/** Describes an answer; a text alone is a success. */
export type Describe = (answer: never) => string | Outcome | Promise<string | Outcome>

export const outcomeOf = (described: string | Outcome): Outcome =>
  typeof described === 'string' ? { text: described, tone: 'good' } : described

/** The outcome of a request to an endpoint. */
export function requestOutcome(
  { status_code, error }: { status_code: number | null; error: string | null },
  ofSuccess = '',
): Outcome {
  if (error !== null) return { text: `Not delivered: ${sentence(error)}`, tone: 'bad' }
  return { text: `Delivered: HTTP ${status_code}${ofSuccess}.`, tone: 'good' }
}
