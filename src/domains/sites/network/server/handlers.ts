import { eq } from 'drizzle-orm'
import { sendCsv } from '#core/csv/csv-stream.ts'
import type { Queries } from '#core/db/db.ts'
import { notFound } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { checkNow } from '#domains/sites/checks/server/check-now.ts'
import { logsPage } from '#domains/sites/checks/server/status-logs.ts'
import { networkSites as contract, type NetworkSite } from '../contract.ts'
import { networkSites } from '../schema.ts'
import { columns } from './csv-columns.ts'
import { addSite, changeSite, removeSite } from './mutations.ts'
import { readSite, sitesPage, sitesQuery } from './queries.ts'

export const networkSitesCalls = implement(contract, {
  list: ({ db, me, query }) => sitesPage(db, me, query),

  csv: async (call) => {
    const rows = sitesQuery(call.db, call.me, call.query)
    await sendCsv<NetworkSite>(call, { name: contract.csv.file, of: 'network sites', rows, columns })
    return undefined
  },

  create: ({ db, body, ...by }) => db.transaction(async (tx) => readSite(tx, await addSite(tx, by, body))),

  update: ({ db, params, body, ...by }) =>
    db.transaction(async (tx) => {
      await changeSite(tx, by, params.id, body)
      return readSite(tx, params.id)
    }),

  remove: ({ db, params, ...by }) =>
    db.transaction(async (tx) => {
      await removeSite(tx, by, params.id)
      return undefined
    }),

  logs: async ({ db, params, query }) => {
    const { id } = await findSite(db, params.id)
    return logsPage(db, 'network', id, query)
  },

  check: async ({ db, params, house }) => {
    const { id, url, host } = await findSite(db, params.id)
    if (host !== null) await checkNow(house, { kind: 'network', id, url, host })
    return readSite(db, id)
  },
})

async function findSite(db: Queries, id: number) {
  const { url, host } = networkSites
  const [site] = await db.select({ id: networkSites.id, url, host }).from(networkSites).where(eq(networkSites.id, id))
  if (!site) throw notFound()
  return site
}
