import { sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
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
