import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { callRailCompaniesTable } from '../schema.ts'

type Hook = { companies?: string[]; event: { reconciled_as: string | null; received_at: Date } }

/**
 * Records which companies of connected accounts send hooks, to the hour, and the older number of a company from a hook that has both ids.
 * Rows that another worker holds are left out: a later hook says the same.
 */
export async function recordHooks(tx: Tx, events: Hook[]): Promise<void> {
  const hooks = events.flatMap(({ companies = [], event }) => {
    if (companies.length === 0 || event.reconciled_as !== null) return []
    const number = companies.find((id) => /^\d+$/.test(id)) ?? null
    return [{ id: companies[0], number, at: event.received_at }] // the newer id decides
  })
  if (hooks.length === 0) return
  await tx.execute(sql`
    with hooks as (
      select id, max(number) as number, max(at) as at
      from json_to_recordset(${JSON.stringify(hooks)}) one (id text, number text, at timestamptz) group by 1
    ), news as (
      select company_id, hooks.number, hooks.at from ${callRailCompaniesTable} company
      join hooks on hooks.id in (company.company_id, company.number)
      where company.hooked_at is null or company.hooked_at < hooks.at - interval '1 hour'
        or (company.number is null and hooks.number is not null)
      for update of company skip locked
    )
    update ${callRailCompaniesTable} company
    set hooked_at = greatest(company.hooked_at, news.at), number = coalesce(company.number, news.number)
    from news where news.company_id = company.company_id`)
}
