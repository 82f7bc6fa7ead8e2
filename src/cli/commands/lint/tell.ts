import type { LintFinding } from '../../../display/lint.ts'
import type { Paint } from '../../output/paint.ts'
import { printable } from '../../output/printable.ts'

export function findingsForPeople(findings: readonly LintFinding[], skipped: readonly string[], paint: Paint): string {
  const notes = skipped.length === 0 ? [] : [paint.dim(`Skipped without --subject and --text: ${skipped.join(', ')}`)]
  if (findings.length === 0) return [`${paint.green('✓')} no findings`, ...notes].join('\n')
  return findings
    .map(({ rule, level, message, source }) => {
      const mark = level === 'error' ? paint.red('✗') : paint.yellow('!')
      return `${mark} ${printable(message)}\n  ${paint.dim(`${rule} (${printable(source)})`)}`
    })
    .concat(notes)
    .join('\n')
}
