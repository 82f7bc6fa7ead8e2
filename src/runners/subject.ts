import type { Client } from '../client/client.ts'
import { troubleOf } from '../evidence/trouble.ts'
import { testOf } from './suite.ts'

/** The error for a subject that a matcher cannot judge, with what went wrong in the test: often a send was refused. */
export async function wrongSubject(matcher: string, wanted: string, subject: unknown, client?: Client): Promise<Error> {
  const it =
    subject === undefined ? 'undefined: was the send refused?' : `${JSON.stringify(subject) ?? typeof subject}.`
  const trouble = await troubleOfTest(client)
  return new TypeError([`${matcher}() takes ${wanted}. It got ${it}`, ...trouble].join('\n'))
}

/** The failures in the world of this client, or of the test that makes this call. */
async function troubleOfTest(client?: Client): Promise<string[]> {
  const observer = client ?? testOf()?.sandbox.observer
  return observer ? troubleOf(observer) : []
}
