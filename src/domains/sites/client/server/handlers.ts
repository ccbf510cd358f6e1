import { and, asc, eq } from 'drizzle-orm'
import { sendCsv } from '#core/csv/csv-stream.ts'
import { buildCsvColumns } from '#core/csv/field-csv.ts'
import { type DbOrTx, runTransaction } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { nameSiteStatus } from '#domains/sites/checks/contract.ts'
import { checkSiteNow } from '#domains/sites/checks/server/check-now.ts'
import { readSiteLogs } from '#domains/sites/checks/server/status-logs.ts'
import { type ClientSite, clientSitesContract } from '../contract.ts'
import { clientSiteFields } from '../fields.ts'
import { clientSitesTable, hookKeyAad } from '../schema.ts'
import { addClientSite, removeClientSite, renewHookKey, updateClientSite } from './mutations.ts'
import { buildClientSitesQuery, readClientSite, readClientSitesPage } from './queries.ts'
import { buildVisibleClientSitesFilter } from './visibility.ts'

export const clientSitesHandlers = implementContract(clientSitesContract, {
  list: ({ db, me, query }) => readClientSitesPage(db, me, query),

  csv: (call) =>
    sendCsv<ClientSite>(call, {
      name: clientSitesContract.csv.file,
      of: 'client sites',
      rows: buildClientSitesQuery(call.db, call.me, call.query),
      columns: clientSiteCsvColumns,
    }),

  create: ({ db, body, ...by }) =>
    runTransaction(db, async (tx) => readClientSite(tx, by.me, await addClientSite(tx, by, body))),

  update: ({ db, params, body, ...by }) =>
    runTransaction(db, async (tx) => {
      await updateClientSite(tx, by, params.id, body)
      return readClientSite(tx, by.me, params.id)
    }),

  remove: ({ db, params, ...by }) =>
    runTransaction(db, async (tx) => {
      await removeClientSite(tx, by, params.id)
    }),

  get: ({ db, me, params }) => readClientSite(db, me, params.id),

  logs: async ({ db, me, params, query }) => {
    const { id } = await findClientSite(db, me, params.id)
    return readSiteLogs(db, 'client', id, query)
  },

  check: async ({ db, me, params, context }) => {
    const { id, url, host } = await findClientSite(db, me, params.id)
    if (host !== null) await checkSiteNow(context, { kind: 'client', id, url, host })
    return readClientSite(db, me, id)
  },

  all: ({ db, me }) =>
    db
      .select({ id: clientSitesTable.id, url: clientSitesTable.url, campaign_id: clientSitesTable.campaign_id })
      .from(clientSitesTable)
      .where(buildVisibleClientSitesFilter(me))
      .orderBy(asc(clientSitesTable.url), clientSitesTable.id),

  hook: async ({ db, me, params, context }) => {
    const site = await findClientSite(db, me, params.id)
    return buildHookAddresses(
      context,
      site.id,
      site.hook_key && context.secrets.open(site.hook_key, hookKeyAad(site.id)),
    )
  },

  newHookKey: ({ db, params, ...by }) =>
    db.transaction(async (tx) => buildHookAddresses(by.context, params.id, await renewHookKey(tx, by, params.id))),
})

async function findClientSite(db: DbOrTx, me: CurrentUser, id: number) {
  const [site] = await db
    .select({
      id: clientSitesTable.id,
      url: clientSitesTable.url,
      host: clientSitesTable.host,
      hook_key: clientSitesTable.hook_key,
    })
    .from(clientSitesTable)
    .where(and(eq(clientSitesTable.id, id), buildVisibleClientSitesFilter(me)))
  if (!site) throw notFoundError()
  return site
}

const buildHookAddresses = ({ settings }: AppContext, id: number, key: string | null) => ({
  callrail_url: `${settings.PUBLIC_URL}/api/hooks/callrail`,
  formidable_url: `${settings.PUBLIC_URL}/api/hooks/formidable/${id}`,
  key,
})

/** The columns of client_sites.csv: those of the table, except for mere links. */
const clientSiteCsvColumns = buildCsvColumns(clientSiteFields, {
  campaign: ({ campaign }) => campaign?.name,
  status: nameSiteStatus,
})
