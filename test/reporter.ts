import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Ends a run with one plain line for CI: `212 passed, 0 failed`, and `, 3 skipped` if there were any. */
export default class ClosingLine implements Reporter {
  #line = ''

  onInit() {
    // Printed last, after the summary.
    process.on('exit', () => this.#line && console.log(this.#line))
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    const results = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const count = (state: string) => results.filter((result) => result === state).length
    // A file that breaks before its first test is a failure too, and so is an error outside of any test.
    const failed = count('failed') + modules.filter(isBroken).length + errors.length
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : ''
    this.#line = `${count('passed')} passed, ${failed} failed${skipped}`
  }
}

const isBroken = (module: TestModule) =>
  module.state() === 'failed' && [...module.children.allTests('failed')].length === 0
