import { sendFields } from '../service/messages/contract.ts'
import { validate } from '../words/validate.ts'
import { FINDINGS } from './handset/findings.ts'
import { layOut } from './handset/layout.ts'
import { PROFILES, type RcsContent } from './handset/shapes.ts'
import type { LintFinding, LintMessage } from './mail/finding.ts'
import { EMAIL_RULES, lintEmail } from './mail/rules.ts'

export type { LintFinding, LintMessage } from './mail/finding.ts'

/** True for an email, which has a subject or HTML, unlike a message to a phone. */
const isEmail = ({ subject, content }: LintMessage) =>
  typeof subject === 'string' || content.html !== undefined || content.subject !== undefined

/**
 * Finds what readers of a message would not see as it was meant. It loads nothing. A content that the service would
 * refuse is refused here too.
 */
export const lint = (message: LintMessage): LintFinding[] =>
  isEmail(message)
    ? lintEmail(message)
    : lintRcs(validate(sendFields.content, message.content, 'content') as RcsContent)

/** What phones drop or change, as `sandbox preview --lint` lists it; both platforms share some findings. */
function lintRcs(content: RcsContent): LintFinding[] {
  const found = PROFILES.flatMap((profile) => layOut(content, profile).findings)
  const codes = [...new Map(found.map(({ code, at }) => [`${code} ${at}`, { code, at }])).values()]
  return codes.map(({ code, at }) => {
    const { weight, says, source } = FINDINGS[code]
    return { rule: `rcs/${code}`, level: weight === 'drops' ? 'error' : 'warning', message: `${at}: ${says}`, source }
  })
}

/** All rules with their sources, for reports that list them. */
export const RULES: Readonly<Record<string, { source: string }>> = {
  ...EMAIL_RULES,
  ...Object.fromEntries(Object.entries(FINDINGS).map(([code, { source }]) => [`rcs/${code}`, { source }])),
}
