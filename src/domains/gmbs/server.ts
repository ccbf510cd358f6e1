import { and, eq, gt, sql } from 'drizzle-orm'
import { record } from '#server/audit.ts'
import type { Tx } from '#server/db.ts'
import { notFound, tooMany } from '#server/errors.ts'
import { implement } from '#server/implement.ts'
import { audit } from '#server/tables.ts'
import { gmbs as contract } from './contract.ts'
import { logsPage } from './log.ts'
import { gmbsPage, readGmb, visibleTo } from './reading.ts'
import { acceptGmb, addGmb, type By, changeGmb, removeGmb, switchGmb } from './saving.ts'
import { gmbs, passwordPlace } from './table.ts'
import { statuses } from './words.ts'

const look = 'look at a listing password'
const looksAnHour = 30

export const gmbsCalls = implement(contract, {
  list: ({ db, me, query, house }) => gmbsPage(db, house.secrets, me, query),

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

  accept: ({ db, params, ...by }) =>
    db.transaction(async (tx) => {
      await acceptGmb(tx, by, params.id)
      return readGmb(tx, by.house.secrets, by.me, params.id)
    }),

  logs: async ({ db, me, params, query }) => {
    const [gmb] = await db
      .select({ id: gmbs.id })
      .from(gmbs)
      .where(and(eq(gmbs.id, params.id), visibleTo(me)))
    if (!gmb) throw notFound()
    return logsPage(db, params.id, query)
  },
})

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
