import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { parsed, places } from './places.ts'
import { faultsOf } from './rules.ts'

/**
 * Listens to what the program asks its database in every test file, and fails the file in which it asks what Citus would refuse.
 * Only Leadline's own connections: drills play other versions, and administrators, on connections of their own.
 */
type Listening = { heard: Set<string>; fresh: Set<string> }
const listening = (globalThis as { spreadListening?: Listening }).spreadListening ?? listen()

function listen(): Listening {
  const here: Listening = { heard: new Set(), fresh: new Set() }
  const names = new RegExp(`\\b(${[...places.spread].join('|')})\\b`)
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown // one of its many overloads
  pg.Client.prototype.query = function heard(this: pg.Client, ...args: unknown[]) {
    const text = textOf(args[0])
    const { application_name: by } = (this as unknown as { connectionParameters: { application_name?: string } })
      .connectionParameters
    if (by === 'leadline' && names.test(text) && !here.heard.has(text)) {
      here.heard.add(text)
      here.fresh.add(text)
    }
    return query.apply(this, args)
  } as typeof pg.Client.prototype.query
  Object.assign(globalThis, { spreadListening: here })
  return here
}

function textOf(asked: unknown): string {
  if (typeof asked === 'string') return asked
  return typeof asked === 'object' && asked !== null && 'text' in asked ? String(asked.text) : ''
}

afterAll(() => {
  const refused = [...listening.fresh].flatMap((text) => {
    const faults = readable(text).flatMap((statement) => faultsOf(statement, places))
    return faults.length > 0 ? [{ faults, text: text.replace(/\s+/g, ' ') }] : []
  })
  listening.fresh.clear()
  expect(refused, 'Citus would refuse this; docs/scaling.md says which rules there are').toEqual([])
})

/** What PostgreSQL itself does not understand is some test's intention. */
function readable(text: string) {
  try {
    return parsed(text)
  } catch {
    return []
  }
}
