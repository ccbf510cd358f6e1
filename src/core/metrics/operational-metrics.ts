import { sql } from 'drizzle-orm'
import type { House } from '../app-context.ts'
import { canWrite } from '../health/can-write.ts'

/** How things stand: what waits and for how many seconds, and what went wrong. Nothing is known while the database is away. */
const counted = {
  events: sql`select count(*) from inbound_events where state = 'stored'`,
  oldest_event: sql`select extract(epoch from now() - min(received_at)) from inbound_events where state = 'stored'`,
  quarantined: sql`select count(*) from inbound_events where state = 'quarantined'`,
  mails: sql`select count(*) from mails where state in ('queued', 'handing')`,
  oldest_mail: sql`select extract(epoch from now() - min(created_at)) from mails where state in ('queued', 'handing')`,
  uncertain: sql`select count(*) from (select state from mails order by id desc limit 1000) recent where state = 'uncertain'`,
  refused: sql`select count(*) from (select state from mails order by id desc limit 1000) recent where state = 'refused'`,
}
type Counted = keyof typeof counted
export type Standing = Record<Counted, number> & { ready: number }

const names = Object.keys(counted) as Counted[] // its own keys
const unknown = Object.fromEntries(names.map((name) => [name, Number.NaN])) as Record<Counted, number>
export const noStanding: Standing = { ...unknown, ready: 0 }

export async function standing(house: House): Promise<Standing> {
  if (!(await canWrite(house))) return noStanding
  try {
    const columns = names.map((name) => sql`coalesce((${counted[name]}), 0)::float8 as ${sql.identifier(name)}`)
    const { rows } = await house.db.execute<Record<Counted, number>>(sql`select ${sql.join(columns, sql`, `)}`)
    return { ...rows[0]!, ready: 1 }
  } catch (error) {
    house.log.warn({ err: error }, 'how things stand is not known')
    return noStanding
  }
}
