import { expect, test } from 'vitest'
import { junitOf } from '../../src/words/junit.ts'

test('what XML cannot hold is shown as unreadable, and lines of a message stay lines', () => {
  const cases = [
    { name: 'a "b" <c>', outcome: 'failed', message: 'one\ntwo', text: 'bell \u0007, half \ud83d, tab\t&' },
    { name: 'left out', outcome: 'skipped', message: 'not here' },
  ] as const
  expect(junitOf([{ name: 'suite', cases, ms: 1_500 }])).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="1" errors="0" skipped="1">
  <testsuite name="suite" tests="2" failures="1" errors="0" skipped="1" time="1.500">
    <testcase name="a &quot;b&quot; &lt;c&gt;" classname="suite"><failure message="one&#10;two">bell \ufffd, half \ufffd, tab\t&amp;</failure></testcase>
    <testcase name="left out" classname="suite"><skipped message="not here"/></testcase>
  </testsuite>
</testsuites>
`)
})
