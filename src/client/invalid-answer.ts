import type { HttpAnswer } from '../http/exchange.ts'
import { acrossCopies } from '../words/kinds.ts'
import { redactSecrets } from '../words/redact.ts'
import { shortened } from '../words/shortened.ts'

/**
 * A success that the interface does not describe: a web page, broken JSON, a record without its id. Something other than
 * the service answered, or the service differs from the interface.
 */
export class InvalidAnswer extends Error {
  static {
    acrossCopies(InvalidAnswer, 'InvalidAnswer')
  }

  readonly code = 'INVALID_ANSWER'
  /** HTTP status: 200. */
  readonly status: number
  /** Why the answer is invalid: `text/html instead of JSON`. */
  readonly fault: string
  /** `X-Request-Id` of the answer. */
  readonly requestId: string | undefined

  constructor({ status, headers, body }: HttpAnswer, fault: string, route?: string) {
    const excerpt = excerptOf(body)
    super(
      `${route ? `${route}: ` : ''}the answer with status ${status} does not match the interface: ${fault}${excerpt && `, ${excerpt}`}`,
    )
    this.name = 'InvalidAnswer'
    this.status = status
    this.fault = fault
    this.requestId = headers['x-request-id']
  }
}

const EXCERPT_LENGTH = 80

/** The begin of a body on one line, in quotes; empty for an empty body. */
function excerptOf(body: Buffer): string {
  const text = redactSecrets(
    body
      .subarray(0, 4 * EXCERPT_LENGTH)
      .toString()
      .replace(/\s+/g, ' ')
      .trim(),
  )
  if (text === '') return ''
  return `"${shortened(text, EXCERPT_LENGTH)}"`
}
