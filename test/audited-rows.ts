import type { App } from '#test/app.ts'

/** The tables whose columns the entries of a kind are named after. */
export const auditedTables: Record<string, string> = {
  user: 'users',
  view: 'views',
  team: 'teams',
  'tool link': 'tool_links',
  'API key': 'api_keys',
  campaign: 'campaigns',
  'campaign category': 'campaign_categories',
  dispute: 'disputes',
  client: 'clients',
  'client report': 'client_reports',
  'client site': 'client_sites',
  'network site': 'network_sites',
  'network category': 'network_categories',
  'activity item': 'activity_items',
  listing: 'campaign_gmbs',
  lead: 'leads',
  'lead source': 'custom_sources',
  signal: 'signals',
  webhook: 'webhooks',
  connection: 'connections',
}

/** Returns a reader of the rows that are made or removed from now on without an entry that says so. */
export async function watchAudit({ context: { pool } }: App): Promise<() => Promise<string[]>> {
  const kinds = Object.entries(auditedTables).filter(([kind]) => !['user', 'lead'].includes(kind)) // these have one entry for many
  const readAll = async (query: string) =>
    new Set((await pool.query<{ row: string }>(query)).rows.map(({ row }) => row))
  // One query each: a hundred for every import took more than the imports.
  const tables = kinds.map(([kind, table]) => `select '${kind}' as kind, id from ${table}`).join(' union all ')
  const readRows = () => readAll(`select kind || ' ' || id as row from (${tables}) rows order by kind, id`)
  const [lastEntry] = await readAll('select coalesce(max(id), 0)::text as row from audit')
  const earlier = await readRows()
  return async () => {
    const now = await readRows()
    const entries = await readAll(
      `select concat(kind, ' ', row_id, v.was) as row
       from audit, lateral (values (before, ' was made'), (after, ' was removed')) as v (value, was)
       where id > ${lastEntry} and v.value is null`,
    )
    return [
      ...[...now].filter((row) => !earlier.has(row)).map((row) => `${row} was made`),
      ...[...earlier].filter((row) => !now.has(row)).map((row) => `${row} was removed`),
    ].filter((change) => !entries.has(change))
  }
}
