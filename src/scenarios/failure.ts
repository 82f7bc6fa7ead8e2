import type { Difference } from './match.ts'
import type { StepOf } from './schema.ts'
import type { CallAnswer } from './target.ts'

/** A step failed because something differs from the scenario. */
export class StepFailure extends Error {
  /** The field of the step, by which the place in the file is found: `expect.status`. */
  readonly field: string
  readonly differences: readonly Difference[]
  readonly isTimeout: boolean
  readonly requestId: string | undefined
  /** Id of the message that the failure concerns. */
  readonly messageId: string | undefined
  readonly wait: StepOf<'wait'> | undefined

  constructor(
    message: string,
    {
      field,
      differences = [],
      isTimeout = false,
      answer,
      message: messageId,
      wait,
    }: {
      message?: string
      field: string
      differences?: Difference[]
      isTimeout?: boolean
      answer?: CallAnswer | undefined
      wait?: StepOf<'wait'>
    },
  ) {
    super(message)
    this.name = 'Failure'
    this.field = field
    this.differences = differences
    this.isTimeout = isTimeout
    this.messageId = messageId ?? messageIn(answer?.body)
    this.wait = wait
    this.requestId = answer?.headers['x-request-id']
  }
}

function messageIn(body: unknown): string | undefined {
  const { id } = (body ?? {}) as { id?: unknown }
  return typeof id === 'string' && id.startsWith('msg_') ? id : undefined
}
