import { and, asc, eq } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { record } from '#core/audit/write-audit.ts'
import { sendCsv } from '#core/csv/csv-stream.ts'
import type { Queries } from '#core/db/db.ts'
import { notFound } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { randomToken } from '#core/secrets/secrets.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { checkNow } from '#domains/sites/checks/server/check-now.ts'
import { logsPage } from '#domains/sites/checks/server/status-logs.ts'
import { type ClientSite, clientSites as contract } from '../contract.ts'
import { clientSites, hookKeyPlace } from '../schema.ts'
import { columns } from './csv-columns.ts'
import { addSite, changeSite, kind, removeSite } from './mutations.ts'
import { readSite, sitesPage, sitesQuery } from './queries.ts'
import { visibleTo } from './visibility.ts'

export const clientSitesCalls = implement(contract, {
  list: ({ db, me, query }) => sitesPage(db, me, query),

  csv: async (call) => {
    const rows = sitesQuery(call.db, call.me, call.query)
    await sendCsv<ClientSite>(call, { name: contract.csv.file, of: 'client sites', rows, columns })
    return undefined
  },

  create: ({ db, body, ...by }) => db.transaction(async (tx) => readSite(tx, by.me, await addSite(tx, by, body))),

  update: ({ db, params, body, ...by }) =>
    db.transaction(async (tx) => {
      await changeSite(tx, by, params.id, body)
      return readSite(tx, by.me, params.id)
    }),

  remove: ({ db, params, ...by }) =>
    db.transaction(async (tx) => {
      await removeSite(tx, by, params.id)
      return undefined
    }),

  logs: async ({ db, me, params, query }) => {
    const { id } = await findSite(db, me, params.id)
    return logsPage(db, 'client', id, query)
  },

  check: async ({ db, me, params, house }) => {
    const { id, url, host } = await findSite(db, me, params.id)
    if (host !== null) await checkNow(house, { kind: 'client', id, url, host })
    return readSite(db, me, id)
  },

  all: ({ db, me }) =>
    db
      .select({ id: clientSites.id, url: clientSites.url, campaign_id: clientSites.campaign_id })
      .from(clientSites)
      .where(visibleTo(me))
      .orderBy(asc(clientSites.url), clientSites.id),

  hook: async ({ db, me, params, house }) => {
    const site = await findSite(db, me, params.id)
    return addresses(house, site.id, site.hook_key && house.secrets.open(site.hook_key, hookKeyPlace(site.id)))
  },

  newHookKey: ({ db, me, params, house, actor }) =>
    db.transaction(async (tx) => {
      const site = await findSite(tx, me, params.id)
      const key = randomToken()
      await tx
        .update(clientSites)
        .set({ hook_key: house.secrets.seal(key, hookKeyPlace(site.id)) })
        .where(eq(clientSites.id, site.id))
      await record(tx, actor, {
        kind,
        rowId: site.id,
        before: { hook_key: site.hook_key ? 'old' : null },
        after: { hook_key: 'changed' },
      })
      return addresses(house, site.id, key)
    }),
})

async function findSite(db: Queries, me: Me, id: number) {
  const [site] = await db
    .select({ id: clientSites.id, url: clientSites.url, host: clientSites.host, hook_key: clientSites.hook_key })
    .from(clientSites)
    .where(and(eq(clientSites.id, id), visibleTo(me)))
  if (!site) throw notFound()
  return site
}

const addresses = ({ settings }: House, id: number, key: string | null) => ({
  callrail_url: `${settings.PUBLIC_URL}/api/hooks/callrail`,
  formidable_url: `${settings.PUBLIC_URL}/api/hooks/formidable/${id}`,
  key,
})
