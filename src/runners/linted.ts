import type { LintMessage } from '../display/lint.ts'
import type { Sandbox } from '../library/sandbox.ts'
import { isRecord } from '../words/json.ts'
import { refuseUnknownOptions } from '../words/known-options.ts'
import { wrongSubject } from './subject.ts'
import { observersOfCall } from './suite.ts'
import type { Verdict } from './verdict.ts'

export interface LintOptions {
  /** Rules that do not count, such as `email/dark-mode`. */
  ignore?: readonly string[] | undefined
}

/** The verdict on a message; a failure lists the findings. */
export async function lintVerdict(
  subject: unknown,
  { ignore = [], ...unknown }: LintOptions = {},
  sandbox: Sandbox | undefined,
  name = 'toPassLint',
): Promise<Verdict> {
  refuseUnknownOptions(unknown, ['ignore'], name)
  const message = await messageOf(subject, sandbox)
  if (!message) throw await wrongSubject(name, 'a message, its id, or a content', subject, sandbox?.observer)
  // Its rules bring the schemas of contents, which other tests do not need.
  const { lint } = await import('../display/lint.ts')
  const findings = lint(message).filter(({ rule }) => !ignore.includes(rule))
  if (findings.length === 0) return { pass: true, message: () => `not.${name}(): it has no findings.` }
  const lines = findings.map(({ rule, message }) => `  ${rule}: ${message}`)
  return { pass: false, message: () => [`${name}():`, ...lines].join('\n') }
}

/** A message of the log, the answer of a send, an id, a send, or a content. */
async function messageOf(subject: unknown, sandbox: Sandbox | undefined): Promise<LintMessage | undefined> {
  if (isRecord(subject) && isRecord(subject.content)) return subject as unknown as LintMessage
  const { message_id, id = message_id } = (isRecord(subject) ? subject : {}) as { message_id?: unknown; id?: unknown }
  const wanted = typeof subject === 'string' ? subject : id
  if (typeof wanted === 'string' && wanted.startsWith('msg_')) {
    for (const observer of sandbox ? [sandbox.observer] : observersOfCall()) {
      const found = await observer.messages.get(wanted).catch(() => undefined)
      if (found) return found as unknown as LintMessage
    }
    return undefined
  }
  return isRecord(subject) && ['text', 'html', 'rich_card'].some((field) => field in subject)
    ? { content: subject as LintMessage['content'] }
    : undefined
}
