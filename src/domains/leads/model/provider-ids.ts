import { sql } from 'drizzle-orm'
import type { Queries, Tx } from '#core/db/db.ts'
import { Refusal } from '#core/http/errors.ts'
import { hold } from './lock-keys.ts'
import { leads } from './schema.ts'

type Row = typeof leads.$inferSelect
/** What the provider calls a lead. */
export type Name = Pick<Row, 'lead_s' | 'lead_id'>

export const nameOf = ({ lead_s, lead_id }: Name) => `${lead_s} ${lead_id}`

/**
 * Whoever makes leads of these names takes turns, and looks what is there after this: where leads are spread over machines, an
 * index keeps a name unique within a campaign only, and a lead may have been given to another. Call it before all else is held.
 */
export const holdNames = (tx: Tx, names: Name[]): Promise<void> =>
  hold(
    tx,
    names.map((name) => `lead ${nameOf(name)}`),
  )

/** The names that a lead has, in whatever campaign. */
export async function namesTaken(db: Queries, names: Name[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const found = await db.select({ lead_s: leads.lead_s, lead_id: leads.lead_id }).from(leads).where(isNamed(names))
  return new Set(found.map(nameOf))
}

/** The leads of these names, by them. */
export async function leadsNamed(db: Queries, names: Name[]): Promise<Map<string, Row>> {
  if (names.length === 0) return new Map()
  const rows = await db.select().from(leads).where(isNamed(names))
  return new Map(rows.map((row) => [nameOf(row), row]))
}

function isNamed(names: Name[]) {
  const asked = JSON.stringify(names.map(({ lead_s, lead_id }) => ({ lead_s, lead_id })))
  return sql`(${leads.lead_s}, ${leads.lead_id}) in (
    select lead_s, lead_id from json_to_recordset(${asked}) one (lead_s text, lead_id text))`
}

/** 409 where another lead than this one has the name, which the caller holds. */
export async function refuseTaken(tx: Tx, name: Name, own?: number): Promise<void> {
  const known = (await leadsNamed(tx, [name])).get(nameOf(name))
  if (known && known.id !== own) throw new Refusal(409, taken, { lead_id: [taken] })
}
const taken = 'There already is a lead with this source and ID'
