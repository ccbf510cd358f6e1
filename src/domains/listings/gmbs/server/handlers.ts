import { and, eq, gt, sql } from 'drizzle-orm'
import { record } from '#core/audit/write-audit.ts'
import { sendCsv } from '#core/csv/csv-stream.ts'
import type { Queries, Tx } from '#core/db/db.ts'
import { audit } from '#core/db/schema.ts'
import { notFound, tooMany } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { checkNow } from '#domains/listings/checks/server/check-page.ts'
import { hasLocation } from '#domains/listings/checks/server/google-check.ts'
import { gmbs as contract } from '../contract.ts'
import { statuses } from '../labels.ts'
import { gmbs, passwordPlace } from '../schema.ts'
import { columns } from './csv-columns.ts'
import { logsPage } from './listing-log.ts'
import { acceptGmb, addGmb, askForChecks, type By, changeGmb, removeGmb, switchGmb } from './mutations.ts'
import { type FiledGmb, gmbsPage, gmbsQuery, readGmb, visibleTo } from './queries.ts'

const look = 'look at a listing password'
const looksAnHour = 30

export const gmbsCalls = implement(contract, {
  list: ({ db, me, query, house }) => gmbsPage(db, house.secrets, me, query),

  csv: async (call) => {
    const { db, me, query, house } = call
    const rows = gmbsQuery(db, { me, zone: house.settings.AGENCY_TIMEZONE }, query)
    await sendCsv<FiledGmb>(call, { name: contract.csv.file, of: 'campaign GMBs', rows, columns })
    return undefined
  },

  statuses: () => [...statuses],

  create: ({ db, body, ...by }) =>
    db.transaction(async (tx) => readGmb(tx, by.house.secrets, by.me, await addGmb(tx, by, body))),

  update: ({ db, params, body, ...by }) =>
    db.transaction(async (tx) => {
      await changeGmb(tx, by, params.id, body)
      return readGmb(tx, by.house.secrets, by.me, params.id)
    }),

  remove: ({ db, params, ...by }) =>
    db.transaction(async (tx) => {
      await removeGmb(tx, by, params.id)
      return undefined
    }),

  secret: ({ db, params, ...by }) => db.transaction((tx) => lookAt(tx, by, params.id)),

  toggleClientOwned: ({ db, params, body, ...by }) =>
    db.transaction(async (tx) => {
      await switchGmb(tx, by, params.id, 'client_owned', body?.client_owned)
      return readGmb(tx, by.house.secrets, by.me, params.id)
    }),

  toggleClientLocation: ({ db, params, body, ...by }) =>
    db.transaction(async (tx) => {
      await switchGmb(tx, by, params.id, 'is_client_location', body?.is_client_location)
      return readGmb(tx, by.house.secrets, by.me, params.id)
    }),

  accept: ({ db, params, body, ...by }) =>
    db.transaction(async (tx) => {
      await acceptGmb(tx, by, params.id, body?.version)
      return readGmb(tx, by.house.secrets, by.me, params.id)
    }),

  check: async ({ db, params, ...by }) => {
    const { id, link } = await findGmb(db, by.me, params.id)
    if (await hasLocation(db, id)) await db.transaction((tx) => askForChecks(tx, by, [id]))
    else await checkNow(by.house, { id, link })
    return readGmb(db, by.house.secrets, by.me, id)
  },

  checkSome: ({ db, body, ...by }) =>
    db.transaction(async (tx) => {
      await askForChecks(tx, by, body.ids)
      return undefined
    }),

  logs: async ({ db, me, params, query }) => {
    const { id } = await findGmb(db, me, params.id)
    return logsPage(db, id, query)
  },
})

async function findGmb(db: Queries, me: Me, id: number) {
  const [gmb] = await db
    .select({ id: gmbs.id, link: gmbs.link })
    .from(gmbs)
    .where(and(eq(gmbs.id, id), visibleTo(me)))
  if (!gmb) throw notFound()
  return gmb
}

async function lookAt(tx: Tx, { me, actor, house }: By, id: number) {
  const [gmb] = await tx
    .select({ password: gmbs.password })
    .from(gmbs)
    .where(and(eq(gmbs.id, id), visibleTo(me)))
  if (!gmb) throw notFound()
  if (gmb.password === null) return { password: null }
  // One look of a person after the other, or many at once would all find the count low.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${look}), ${me.id})`)
  const looked = await tx.$count(
    audit,
    and(eq(audit.kind, look), eq(audit.user_id, me.id), gt(audit.at, sql`now() - interval '1 hour'`)),
  )
  if (looked >= looksAnHour) throw tooMany('You have looked at thirty passwords within an hour, please try again later')
  await record(tx, actor, { kind: look, rowId: id, before: null, after: {} })
  return { password: house.secrets.open(gmb.password, passwordPlace(id)) }
}
