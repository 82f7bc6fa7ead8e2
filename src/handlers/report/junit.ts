import { junitOf, type TestCase } from '../../words/junit.ts'
import type { Result } from '../verify/suite.ts'

/** Writes JUnit XML: a suite for each group, a case for each check. */
export function junitOfChecks(name: string, results: readonly Result[]): string {
  const groups = Map.groupBy(results, ({ group }) => group)
  return junitOf(
    [...groups].map(([group, of]) => ({ name: group, cases: of.map(caseOf) })),
    name,
  )
}

const caseOf = ({ check, outcome, claim, sent, received, why, remedy, docs }: Result): TestCase => ({
  name: check,
  outcome,
  message: outcome === 'skipped' ? received : claim,
  text: `Sent: ${sent}\nCame back: ${received}\nWhy it matters: ${why}\nHow to fix it: ${remedy}\nSee: ${docs}`,
})
