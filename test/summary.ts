import { writeSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/**
 * The run in one plain line, `12 passed, 0 failed`, for readers that know no test runner. It is written when the process
 * ends, so that it is the last line whatever else is printed.
 */
export default class Summary implements Reporter {
  private line = ''

  onInit() {
    process.once('exit', () => this.line && writeSync(1, `${this.line}\n`))
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const states = tests.map((test) => test.result().state)
    const count = (state: string) => states.filter((one) => one === state).length
    // A file that does not even load, or an error outside every test, is a failure that no test's state tells of.
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandled.length
    // What passes only now and then is a fault, of the test or of what it tests.
    for (const test of tests.filter((one) => one.diagnostic()?.flaky))
      writeSync(1, `Passed only when it was tried again: ${test.module.relativeModuleId}, ${test.fullName}\n`)
    const skipped = states.length - count('passed') - count('failed')
    this.line = `${count('passed')} passed, ${count('failed') + broken} failed${skipped ? `, ${skipped} skipped` : ''}`
  }
}
