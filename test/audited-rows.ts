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
  const kinds = Object.keys(auditedTables).filter((kind) => !['user', 'lead'].includes(kind)) // these have one entry for many
  const readIds = async (query: string) => (await pool.query<{ id: number }>(query)).rows.map(({ id }) => Number(id))
  const readRows = async () => {
    const ids = new Map<string, number[]>()
    for (const kind of kinds) ids.set(kind, await readIds(`select id from ${auditedTables[kind]} order by id`))
    return ids
  }
  const [lastEntry = 0] = await readIds('select max(id) as id from audit')
  const earlier = await readRows()
  return async () => {
    const found: string[] = []
    for (const [kind, now] of await readRows()) {
      const was = earlier.get(kind)!
      const entries = `select row_id as id from audit where id > ${lastEntry} and kind = '${kind}'`
      const [made, removed] = [
        await readIds(`${entries} and before is null`),
        await readIds(`${entries} and after is null`),
      ]
      for (const id of now) if (!was.includes(id) && !made.includes(id)) found.push(`${kind} ${id} was made`)
      for (const id of was) if (!now.includes(id) && !removed.includes(id)) found.push(`${kind} ${id} was removed`)
    }
    return found
  }
}
