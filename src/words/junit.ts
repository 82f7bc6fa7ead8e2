/** One thing that was tried, as a build server shows it. */
export interface TestCase {
  name: string
  /** An error is no verdict: the run ended before there was one. */
  outcome: 'passed' | 'failed' | 'error' | 'skipped'
  file?: string
  line?: number
  ms?: number
  /** The reason of a failure or skip, in one sentence. */
  message?: string
  /** Full report of a failure (default: its message). */
  text?: string
}

export interface TestSuite {
  name: string
  cases: readonly TestCase[]
  file?: string
  ms?: number
}

export function junitOf(suites: readonly TestSuite[], name?: string): string {
  const all = suites.flatMap(({ cases }) => cases)
  const head = `<testsuites${attributes({ name, ...counts(all) })}>`
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites.map(suiteOf), '</testsuites>', ''].join('\n')
}

const suiteOf = ({ name, file, ms, cases }: TestSuite) =>
  [
    `  <testsuite${attributes({ name, file, ...counts(cases), time: seconds(ms) })}>`,
    ...cases.map((one) => caseOf(one, name)),
    '  </testsuite>',
  ].join('\n')

function caseOf({ name, outcome, file, line, ms, message, text = message }: TestCase, suite: string): string {
  const head = `    <testcase${attributes({ name, classname: suite, file, line, time: seconds(ms) })}`
  if (outcome === 'passed') return `${head}/>`
  if (outcome === 'skipped') return `${head}><skipped${attributes({ message })}/></testcase>`
  const verdict = outcome === 'failed' ? 'failure' : 'error'
  return `${head}><${verdict}${attributes({ message })}>${escaped(text ?? '')}</${verdict}></testcase>`
}

function counts(cases: readonly TestCase[]) {
  const count = (outcome: TestCase['outcome']) => cases.filter((one) => one.outcome === outcome).length
  return { tests: cases.length, failures: count('failed'), errors: count('error'), skipped: count('skipped') }
}

const seconds = (ms: number | undefined) => (ms === undefined ? undefined : (ms / 1000).toFixed(3))

const attributes = (named: Readonly<Record<string, string | number | undefined>>) =>
  Object.entries(named)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('')

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML cannot represent most control characters and lone surrogates. */
const escaped = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, (one) => (/[\n\t]/.test(one) ? one : '\u{fffd}'))
    .replace(/[&<>"]/g, (one) => ENTITIES[one]!)
