import type { CheckVerdict } from '../../../handlers/verify/check.ts'
import { type Result, repetitionsIn, WRONG } from '../../../handlers/verify/suite.ts'
import { shortened } from '../../../words/shortened.ts'
import type { Paint } from '../../output/paint.ts'
import { printable } from '../../output/printable.ts'

/** A summary, with all there is to know of failed checks; `details` adds a line for each other check. */
export function tableOf(
  results: readonly Result[],
  counts: Record<CheckVerdict, number>,
  { details, paint }: { details: boolean; paint: Paint },
): string {
  const width = Math.max(...results.map(({ check }) => check.length))
  const mark = { passed: paint.green('✓'), failed: paint.red('✗'), skipped: paint.dim('–') }
  const repetitions = repetitionsIn(results)
  const failed = results
    .filter((result) => result.outcome === 'failed' && !repetitions.has(result))
    .flatMap((result) => [...paragraph(result, paint), ''])
  if (repetitions.size > 0)
    failed.push(
      `${paint.red('✗')} ${[...repetitions].map(({ check }) => check).join(', ')}: the same fault as ${WRONG}`,
      '',
    )
  const lines = details
    ? results.map(
        ({ check, outcome, received }) => `${mark[outcome]} ${check.padEnd(width)}  ${paint.dim(oneLine(received))}`,
      )
    : []
  // A handler that fails the first check is not sent the others, and their names would say nothing.
  const isStopped = counts.passed === 0
  const skipped =
    details || isStopped ? [] : results.filter(({ outcome }) => outcome === 'skipped').map(({ check }) => check)
  const summary = `${mark[counts.failed > 0 ? 'failed' : 'passed']} ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped${skipped.length > 0 ? `: ${skipped.join(', ')}` : ''}`
  const hint = details ? '' : paint.dim(' (--details lists every check)')
  return [...lines, ...(lines.length > 0 ? [''] : []), ...failed, `${summary}${hint}`].join('\n')
}

const paragraph = ({ check, claim, sent, received, why, remedy, docs }: Result, paint: Paint) => [
  `${paint.red('✗')} ${paint.bold(check)}: ${claim}`,
  `  sent      ${printable(sent)}`,
  `  received  ${oneLine(received)}`,
  `  why       ${why}`,
  `  fix       ${remedy}`,
  `  docs      ${paint.cyan(docs)}`,
]

const MAX_CHARACTERS = 100

const oneLine = (text: string): string => shortened(printable(text.replace(/\s+/g, ' ')), MAX_CHARACTERS)
