import { writeSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Writes the result as one plain line, `12 passed, 0 failed`, when the process ends, so that it is always the last line. */
export default class Summary implements Reporter {
  private line = ''

  onInit() {
    process.once('exit', () => this.line && writeSync(1, `${this.line}\n`))
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const states = tests.map((test) => test.result().state)
    const count = (state: string) => states.filter((one) => one === state).length
    // A file that does not load, and an error outside of a test, are failures that no test's state shows.
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandled.length
    const skipped = states.length - count('passed') - count('failed')
    this.line = `${count('passed')} passed, ${count('failed') + broken} failed${skipped ? `, ${skipped} skipped` : ''}`
  }
}
