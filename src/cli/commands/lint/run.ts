import { type LintMessage, lint, RULES } from '../../../display/lint.ts'
import type { LintFinding } from '../../../display/mail/finding.ts'
import { junitOf } from '../../../words/junit.ts'
import { sarifOf } from '../../../words/sarif.ts'
import { EXIT, type ExitCode, usage } from '../../process/exit.ts'
import { objectIn, textOf, writeWhole } from '../../process/files.ts'
import { LAST, messageIdOf } from '../../session/last-sent.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'
import { findingsForPeople } from './tell.ts'

export interface LintFlags {
  type?: string
  subject?: string
  text?: string
  junit?: string
  sarif?: string
  force?: boolean
}

export async function lintMessage(session: Session, what: string, flags: LintFlags): Promise<ExitCode> {
  const { type, junit, sarif, force = false } = flags
  const isHtml = /\.html?$/i.test(what)
  if (!isHtml && (flags.subject ?? flags.text) !== undefined)
    throw usage('--subject and --text are for an HTML file.', `${what} has its own.`)
  const message = isHtml ? await htmlMail(session, what, flags) : await sourceOf(session, what)
  const skipped = isHtml ? skippedRules(flags) : []
  const all = lint({ ...message, message_type: message.message_type ?? type })
  const findings = all.filter(({ rule }) => !skipped.includes(rule))
  const errors = findings.filter(({ level }) => level === 'error')
  if (sarif !== undefined)
    await writeWhole(session.io, sarif, sarifOfFindings(what, findings), { force, isPublic: true })
  if (junit !== undefined) {
    const cases = findings.map(({ rule, message, level }) => ({
      name: rule,
      outcome: level === 'error' ? ('failed' as const) : ('skipped' as const),
      message,
    }))
    const passed = { name: 'lint', outcome: 'passed' as const }
    const text = junitOf([{ name: what, cases: cases.length > 0 ? cases : [passed] }], 'lint')
    await writeWhole(session.io, junit, text, { force, isPublic: true })
  }
  session.output.data({ findings, skipped }, (paint) => findingsForPeople(findings, skipped, paint))
  return errors.length > 0 ? EXIT.expectation : EXIT.ok
}

async function sourceOf(session: Session, what: string): Promise<LintMessage> {
  if (what === LAST || what.startsWith('msg_')) return ofLog(session, await messageIdOf(what, session))
  if (/^\+\d+$/.test(what) || /^[^/\s]+@[^/\s]+$/.test(what)) return newestTo(session, what)
  const object = (await objectIn(session.io, what)) as Record<string, unknown>
  if (typeof object.content === 'object') return object as unknown as LintMessage
  if (['text', 'html', 'rich_card'].some((field) => field in object)) return { content: object }
  throw usage(
    `${what} holds no content: it has no text, html or rich_card.`,
    'For example: {"subject": "Hello", "content": {"text": "Hi"}}',
  )
}

async function htmlMail({ io }: Session, file: string, { subject, text }: LintFlags): Promise<LintMessage> {
  const html = await textOf(io, file)
  return { subject, content: { html, ...(text !== undefined && { text: await textOf(io, text) }) } }
}

/** Rules about parts of an email that an HTML file lacks. */
const skippedRules = ({ subject, text }: LintFlags): string[] => [
  ...(subject === undefined ? ['email/subject'] : []),
  ...(text === undefined ? ['email/text-part'] : []),
]

async function ofLog(session: Session, id: string): Promise<LintMessage> {
  return (await callOperation(session, 'messages.get', { params: { id } })) as unknown as LintMessage
}

async function newestTo(session: Session, to: string): Promise<LintMessage> {
  const { messages } = await callOperation(session, 'messages.list', { payload: { to, limit: 1 } })
  if (messages[0]) return ofLog(session, messages[0].id)
  throw usage(`No message was sent to ${to}.`)
}

function sarifOfFindings(file: string, findings: readonly LintFinding[]): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))].map((id) => ({
    id,
    shortDescription: { text: id },
    fullDescription: { text: RULES[id]?.source ?? id },
  }))
  const results = findings.map(({ rule, level, message }) => ({
    ruleId: rule,
    level,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(file) }, region: { startLine: 1 } } }],
  }))
  return sarifOf('messaging-sandbox lint', rules, results)
}
