import type { LintFinding } from '../../../lint/index.ts'
import type { Paint } from '../../output/paint.ts'
import { printable } from '../../output/printable.ts'

export function findingsForPeople(findings: readonly LintFinding[], paint: Paint): string {
  if (findings.length === 0) return `${paint.green('✓')} no findings`
  return findings
    .map(({ rule, level, message, source }) => {
      const mark = level === 'error' ? paint.red('✗') : paint.yellow('!')
      return `${mark} ${printable(message)}\n  ${paint.dim(`${rule} (${printable(source)})`)}`
    })
    .join('\n')
}
