import type { Result } from '../verify/suite.ts'

/** As JUnit and most CI servers read it: one test case a check, a suite for each group. */
export function junitOf(name: string, results: readonly Result[]): string {
  const groups = [...new Set(results.map(({ group }) => group))]
  const suites = groups.map((group) =>
    suite(
      group,
      results.filter((result) => result.group === group),
    ),
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(name)}"${counts(results)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

const suite = (group: string, results: readonly Result[]) =>
  [`  <testsuite name="${xml(group)}"${counts(results)}>`, ...results.map(testCase), '  </testsuite>'].join('\n')

function counts(results: readonly Result[]): string {
  const of = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length
  return ` tests="${results.length}" failures="${of('failed')}" errors="0" skipped="${of('skipped')}"`
}

function testCase({ check, group, outcome, claim, sent, received, why, remedy, docs }: Result): string {
  const head = `    <testcase classname="${xml(group)}" name="${xml(check)}"`
  if (outcome === 'passed') return `${head}/>`
  if (outcome === 'skipped') return `${head}><skipped message="${xml(received)}"/></testcase>`
  const text = `Sent: ${sent}\nCame back: ${received}\nWhy it matters: ${why}\nHow to mend it: ${remedy}\nSee: ${docs}`
  return `${head}><failure type="${xml(check)}" message="${xml(claim)}">${xml(text)}</failure></testcase>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** What XML 1.0 cannot hold at all is shown as a dot. */
const xml = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '·')
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!)
