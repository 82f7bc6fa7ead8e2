import type { CheckVerdict } from '../../../handlers/verify/check.ts'
import type { Result } from '../../../handlers/verify/suite.ts'
import type { Paint } from '../../output/paint.ts'
import { printable } from '../../output/printable.ts'

/** A line for each check, with details below failed ones. */
export function tableOf(results: readonly Result[], counts: Record<CheckVerdict, number>, paint: Paint): string {
  const width = Math.max(...results.map(({ check }) => check.length))
  const mark = { passed: paint.green('✓'), failed: paint.red('✗'), skipped: paint.dim('–') }
  return [
    ...results.map(
      ({ check, outcome, received }) => `${mark[outcome]} ${check.padEnd(width)}  ${paint.dim(oneLine(received))}`,
    ),
    ...results.filter(({ outcome }) => outcome === 'failed').flatMap((result) => ['', ...told(result, paint)]),
    '',
    `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
  ].join('\n')
}

const told = ({ check, claim, sent, received, why, remedy, docs }: Result, paint: Paint) => [
  `${paint.red('✗')} ${paint.bold(check)}: ${claim}`,
  `  sent       ${printable(sent)}`,
  `  came back  ${oneLine(received)}`,
  `  matters    ${why}`,
  `  mend       ${remedy}`,
  `  see        ${paint.cyan(docs)}`,
]

const MAX_CHARACTERS = 100

function oneLine(text: string): string {
  const flat = printable(text.replace(/\s+/g, ' '))
  return flat.length > MAX_CHARACTERS ? `${flat.slice(0, MAX_CHARACTERS)}…` : flat
}
