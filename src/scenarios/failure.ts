import type { Difference } from './match.ts'
import type { Answer } from './target.ts'

/** Why a step failed: something is not as the scenario has it. */
export class Failure extends Error {
  /** Field of the step, for the place in the file: `expect.status`. */
  readonly field: string
  readonly differences: readonly Difference[]
  readonly isTimeout: boolean
  readonly requestId: string | undefined

  constructor(
    message: string,
    {
      field,
      differences = [],
      isTimeout = false,
      answer,
    }: { field: string; differences?: Difference[]; isTimeout?: boolean; answer?: Answer | undefined },
  ) {
    super(message)
    this.name = 'Failure'
    this.field = field
    this.differences = differences
    this.isTimeout = isTimeout
    this.requestId = answer?.headers['x-request-id']
  }
}
