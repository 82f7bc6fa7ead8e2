import { junitOf, type TestCase } from '../words/junit.ts'
import type { ScenarioOutcome, StepOutcome } from './run.ts'

/** Writes outcomes as JUnit XML for build servers: a suite for each scenario, a case for each step. */
export const junitOfScenarios = (outcomes: readonly ScenarioOutcome[]): string =>
  junitOf(
    outcomes.map(({ name, file, steps, duration_ms }) => ({ name, file, ms: duration_ms, cases: steps.map(caseOf) })),
  )

const caseOf = ({ name, file, line, status, duration_ms, message, explanation }: StepOutcome): TestCase => ({
  name,
  outcome: status,
  file,
  line,
  ms: duration_ms,
  ...(message === undefined
    ? {}
    : { message, text: [`${file}:${line}: ${message}`, explanation].filter(Boolean).join('\n') }),
})
