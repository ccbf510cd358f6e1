import { eq } from 'drizzle-orm'
import { sendCsv } from '#core/csv/csv-stream.ts'
import { buildCsvColumns, formatInstantDay } from '#core/csv/field-csv.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { nameSiteStatus } from '#domains/sites/checks/contract.ts'
import { checkSiteNow } from '#domains/sites/checks/server/check-now.ts'
import { readSiteLogs } from '#domains/sites/checks/server/status-logs.ts'
import { type NetworkSite, networkSitesContract } from '../contract.ts'
import { networkSiteFields } from '../fields.ts'
import { networkSitesTable } from '../schema.ts'
import { addNetworkSite, removeNetworkSite, updateNetworkSite } from './mutations.ts'
import { buildNetworkSitesQuery, readNetworkSite, readNetworkSitesPage } from './queries.ts'

export const networkSitesHandlers = implementContract(networkSitesContract, {
  list: ({ db, me, query }) => readNetworkSitesPage(db, me, query),

  csv: (call) =>
    sendCsv<NetworkSite>(call, {
      name: networkSitesContract.csv.file,
      of: 'network sites',
      rows: buildNetworkSitesQuery(call.db, call.me, call.query),
      columns: networkSiteCsvColumns,
    }),

  create: ({ db, body, ...by }) =>
    db.transaction(async (tx) => readNetworkSite(tx, await addNetworkSite(tx, by, body))),

  update: ({ db, params, body, ...by }) =>
    db.transaction(async (tx) => {
      await updateNetworkSite(tx, by, params.id, body)
      return readNetworkSite(tx, params.id)
    }),

  remove: ({ db, params, ...by }) =>
    db.transaction(async (tx) => {
      await removeNetworkSite(tx, by, params.id)
    }),

  get: ({ db, params }) => readNetworkSite(db, params.id),

  logs: async ({ db, params, query }) => {
    const { id } = await findNetworkSite(db, params.id)
    return readSiteLogs(db, 'network', id, query)
  },

  check: async ({ db, params, context }) => {
    const { id, url, host } = await findNetworkSite(db, params.id)
    if (host !== null) await checkSiteNow(context, { kind: 'network', id, url, host })
    return readNetworkSite(db, id)
  },
})

async function findNetworkSite(db: DbOrTx, id: number) {
  const { url, host } = networkSitesTable
  const [site] = await db
    .select({ id: networkSitesTable.id, url, host })
    .from(networkSitesTable)
    .where(eq(networkSitesTable.id, id))
  if (!site) throw notFoundError()
  return site
}

/** The columns of network_sites.csv: those of the table. */
const networkSiteCsvColumns = buildCsvColumns(networkSiteFields, {
  status: nameSiteStatus,
  http_status_code: ({ http_status_code }) => http_status_code,
  registrar: ({ registrar }) => registrar,
  ip: ({ ip }) => ip?.ip,
  last_google_index: ({ last_google_index }, zone) => formatInstantDay(last_google_index, zone),
})
