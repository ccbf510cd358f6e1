import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { distribution, parseStatements } from './distribution.ts'
import { findViolations } from './rules.ts'

/**
 * A setup file of tests with CHECK_CITUS: records the queries that the app sends, and fails the test file that causes one that Citus
 * would refuse.
 * Only Leadline's own connections count: drills also connect as other versions and as administrators.
 */
type QueryRecorder = { recorded: Set<string>; unchecked: Set<string> }
// Setup files run once for each test file, in the same worker: the patch must not be applied twice.
const recorder = (globalThis as { citusQueryRecorder?: QueryRecorder }).citusQueryRecorder ?? patchQuery()

function patchQuery(): QueryRecorder {
  const recorder: QueryRecorder = { recorded: new Set(), unchecked: new Set() }
  const names = new RegExp(`\\b(${[...distribution.distributed].join('|')})\\b`)
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown // one of its many overloads
  pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
    const text = textOf(args[0])
    const { application_name: applicationName } = (
      this as unknown as { connectionParameters: { application_name?: string } }
    ).connectionParameters
    if (applicationName === 'leadline' && names.test(text) && !recorder.recorded.has(text)) {
      recorder.recorded.add(text)
      recorder.unchecked.add(text)
    }
    return query.apply(this, args)
  } as typeof pg.Client.prototype.query
  Object.assign(globalThis, { citusQueryRecorder: recorder })
  return recorder
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : ''
}

afterAll(() => {
  const refused = [...recorder.unchecked].flatMap((text) => {
    const violations = parseIfValid(text).flatMap((statement) => findViolations(statement, distribution))
    return violations.length > 0 ? [{ violations, text: text.replace(/\s+/g, ' ') }] : []
  })
  recorder.unchecked.clear()
  expect(refused, 'Citus would refuse this; docs/scaling.md lists the rules').toEqual([])
})

/** Some tests send invalid SQL on purpose. */
function parseIfValid(text: string) {
  try {
    return parseStatements(text)
  } catch {
    return []
  }
}
