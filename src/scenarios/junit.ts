import type { ScenarioOutcome, StepOutcome } from './run.ts'

/** The outcomes as JUnit XML, as build servers read it: a suite for each scenario, a case for each step. */
export function junitOf(outcomes: readonly ScenarioOutcome[]): string {
  const suites = outcomes.map(
    ({ name, file, steps, duration_ms }) => `  <testsuite${attributes({
      name,
      file,
      tests: steps.length,
      failures: count(steps, 'failed'),
      skipped: count(steps, 'skipped'),
      time: seconds(duration_ms),
    })}>
${steps.map((step) => caseOf(step, name)).join('\n')}
  </testsuite>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`
}

function caseOf({ name, file, line, status, duration_ms, message = '' }: StepOutcome, suite: string): string {
  const head = `    <testcase${attributes({ name, classname: suite, file, line, time: seconds(duration_ms) })}`
  if (status === 'passed') return `${head}/>`
  const inner =
    status === 'skipped'
      ? `<skipped${attributes({ message })}/>`
      : `<failure${attributes({ message })}>${escaped(`${file}:${line}: ${message}`)}</failure>`
  return `${head}>${inner}</testcase>`
}

const count = (steps: readonly StepOutcome[], status: StepOutcome['status']) =>
  steps.filter((step) => step.status === status).length

const seconds = (ms: number) => (ms / 1000).toFixed(3)

const attributes = (named: Readonly<Record<string, string | number>>) =>
  Object.entries(named)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** XML has no way to write most control characters at all. */
const escaped = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cs}]/gu, (one) => (/[\n\t]/.test(one) ? one : '\u{fffd}'))
    .replace(/[&<>"\n]/g, (one) => ENTITIES[one]!)
