import { sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { callRailCompaniesTable } from '../schema.ts'

/**
 * Returns the client sites of CallRail's companies, by their id or their older number; `deleted` for a company that only a deleted site
 * had. A number is known of companies that sent a hook with both.
 */
export async function findCompanySites(db: DbOrTx, companies: string[]): Promise<Map<string, number | 'deleted'>> {
  if (companies.length === 0) return new Map()
  const { rows } = await db.execute<{ company: string; site: number; is_deleted: boolean }>(sql`
    select named.company, site.id as site, site.deleted_at is not null as is_deleted
    from unnest(${sql.param([...new Set(companies)])}::text[]) named (company)
    left join ${callRailCompaniesTable} known on known.company_id = named.company or known.number = named.company
    join ${clientSitesTable} site on site.callrail_campaign_identifier in (named.company, known.company_id, known.number)
    order by is_deleted desc, site.id desc`)
  return new Map(rows.map(({ company, site, is_deleted }) => [company, is_deleted ? 'deleted' : site]))
}

/** How a company is spelled, and a client site that has or had it. */
type Holding = { company: string; spelled: string; site: number | null }

/**
 * Returns how each of CallRail's companies is spelled, and the client sites that have or had it: deleted ones too, and those that gave it
 * up, which only the audit log knows.
 */
export async function findHoldings(db: DbOrTx, companies: string[]): Promise<Holding[]> {
  if (companies.length === 0) return []
  const { rows } = await db.execute<Holding>(sql`
    with named as (
      select distinct company, spelled
      from unnest(${sql.param([...new Set(companies)])}::text[]) company
      left join ${callRailCompaniesTable} known on known.company_id = company or known.number = company
      cross join unnest(array[company, known.company_id, known.number]) spelled where spelled is not null
    ), held as (
      select id as site, callrail_campaign_identifier as spelled from ${clientSitesTable}
      where callrail_campaign_identifier in (select spelled from named)
      union
      select row_id, before ->> 'callrail_campaign_identifier' from ${auditTable}
      where kind = 'client site' and before ->> 'callrail_campaign_identifier' in (select spelled from named)
    )
    select company, spelled, site from named left join held using (spelled)`)
  return rows
}
