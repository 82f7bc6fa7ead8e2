import { junitOf, type TestCase } from '../../words/junit.ts'
import type { Explored } from '../explore/options.ts'
import type { Result } from '../verify/suite.ts'

/** Writes JUnit XML: a suite for each group, a case for each check. */
export function junitOfChecks(name: string, results: readonly Result[]): string {
  const groups = Map.groupBy(results, ({ group }) => group)
  return junitOf(
    [...groups].map(([group, of]) => ({ name: group, cases: of.map(caseOf) })),
    name,
  )
}

/** Writes JUnit XML with one case: the search, or the flow that failed. `end` is the reason why a search has no verdict. */
export function junitOfSearch(name: string, { seed, coverage, failure }: Explored, end?: string): string {
  const [finding] = failure?.findings ?? []
  const failed: TestCase | null = failure && {
    name: failure.flow,
    outcome: 'failed',
    message: `${finding!.code}: ${finding!.message}`,
    text: `${failure.story}\nRepeat it with --seed ${failure.seed}`,
  }
  const searched: TestCase = {
    name: `${coverage.summary} (seed ${seed})`,
    outcome: end ? 'error' : 'passed',
    message: end,
  }
  return junitOf([{ name: 'explore', cases: [failed ?? searched] }], name)
}

const caseOf = ({ check, outcome, claim, sent, received, why, remedy, docs }: Result): TestCase => ({
  name: check,
  outcome,
  message: outcome === 'skipped' ? received : claim,
  text: `Sent: ${sent}\nCame back: ${received}\nWhy it matters: ${why}\nHow to fix it: ${remedy}\nSee: ${docs}`,
})
