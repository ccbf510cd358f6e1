import { and, eq, gt, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { sendCsv } from '#core/csv/csv-stream.ts'
import { buildCsvColumns } from '#core/csv/field-csv.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { notFoundError, tooManyRequestsError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { checkListingNow } from '#domains/listings/checks/server/check-page.ts'
import { hasGoogleLocation } from '#domains/listings/checks/server/google-check.ts'
import { type Gmb, gmbsContract } from '../contract.ts'
import { gmbFields } from '../fields.ts'
import { getGmbStatusName, gmbStatuses, isNotFound, notFoundStatusName } from '../labels.ts'
import { getPasswordContext, gmbsTable } from '../schema.ts'
import { readGmbLogs } from './listing-log.ts'
import {
  acceptGmb,
  addGmb,
  type GmbMutationContext,
  removeGmb,
  requestChecks,
  toggleGmb,
  updateGmb,
} from './mutations.ts'
import { buildGmbsCsvQuery, buildVisibleGmbsFilter, readGmb, readGmbsPage } from './queries.ts'

const revealAuditKind = 'look at a listing password'
const maxRevealsPerHour = 30

export const gmbsHandlers = implementContract(gmbsContract, {
  list: ({ db, me, query, context }) => readGmbsPage(db, context.secrets, me, query),

  csv: async (call) => {
    const { db, me, query, context } = call
    const rows = buildGmbsCsvQuery(db, { me, zone: context.settings.AGENCY_TIMEZONE }, query)
    return sendCsv<Gmb>(call, { name: gmbsContract.csv.file, of: 'campaign GMBs', rows, columns: gmbsCsvColumns })
  },

  statuses: () => [...gmbStatuses],

  get: ({ db, me, params, context }) => readGmb(db, context.secrets, me, params.id),

  create: ({ db, body, ...by }) =>
    db.transaction(async (tx) => readGmb(tx, by.context.secrets, by.me, await addGmb(tx, by, body))),

  update: ({ db, params, body, ...by }) =>
    db.transaction(async (tx) => {
      await updateGmb(tx, by, params.id, body)
      return readGmb(tx, by.context.secrets, by.me, params.id)
    }),

  remove: ({ db, params, ...by }) =>
    db.transaction(async (tx) => {
      await removeGmb(tx, by, params.id)
    }),

  secret: ({ db, params, ...by }) => db.transaction((tx) => revealPassword(tx, by, params.id)),

  toggleClientOwned: ({ db, params, body, ...by }) =>
    db.transaction(async (tx) => {
      await toggleGmb(tx, by, params.id, 'client_owned', body?.client_owned)
      return readGmb(tx, by.context.secrets, by.me, params.id)
    }),

  toggleClientLocation: ({ db, params, body, ...by }) =>
    db.transaction(async (tx) => {
      await toggleGmb(tx, by, params.id, 'is_client_location', body?.is_client_location)
      return readGmb(tx, by.context.secrets, by.me, params.id)
    }),

  accept: ({ db, params, body, ...by }) =>
    db.transaction(async (tx) => {
      await acceptGmb(tx, by, params.id, body?.version)
      return readGmb(tx, by.context.secrets, by.me, params.id)
    }),

  check: async ({ db, params, ...by }) => {
    const { id, link } = await findGmb(db, by.me, params.id)
    if (await hasGoogleLocation(by.context, id)) await db.transaction((tx) => requestChecks(tx, by, [id]))
    else await checkListingNow(by.context, { id, link })
    return readGmb(db, by.context.secrets, by.me, id)
  },

  checkSome: ({ db, body, ...by }) =>
    db.transaction(async (tx) => {
      await requestChecks(tx, by, body.ids)
    }),

  logs: async ({ db, me, params, query }) => {
    const { id } = await findGmb(db, me, params.id)
    return readGmbLogs(db, id, query)
  },
})

async function findGmb(db: DbOrTx, me: CurrentUser, id: number) {
  const [gmb] = await db
    .select({ id: gmbsTable.id, link: gmbsTable.link })
    .from(gmbsTable)
    .where(and(eq(gmbsTable.id, id), buildVisibleGmbsFilter(me)))
  if (!gmb) throw notFoundError()
  return gmb
}

async function revealPassword(tx: Tx, { me, actor, context }: GmbMutationContext, id: number) {
  const [gmb] = await tx
    .select({ password: gmbsTable.password })
    .from(gmbsTable)
    .where(and(eq(gmbsTable.id, id), buildVisibleGmbsFilter(me)))
  if (!gmb) throw notFoundError()
  if (gmb.password === null) return { password: null }
  // Serializes one user's reveals, or concurrent ones would all pass the limit.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${revealAuditKind}), ${me.id})`)
  const looked = await tx.$count(
    auditTable,
    and(
      eq(auditTable.kind, revealAuditKind),
      eq(auditTable.user_id, me.id),
      gt(auditTable.at, sql`now() - interval '1 hour'`),
    ),
  )
  if (looked >= maxRevealsPerHour)
    throw tooManyRequestsError('You have viewed thirty passwords within an hour, please try again later', 3600)
  await writeAudit(tx, actor, { kind: revealAuditKind, rowId: id, before: null, after: {} })
  return { password: context.secrets.open(gmb.password, getPasswordContext(id)) }
}

/** The columns of campaign_gmbs.csv: those of the table without the encrypted recovery email. */
const gmbsCsvColumns = buildCsvColumns(gmbFields, {
  status: (gmb) => (isNotFound(gmb) ? notFoundStatusName : getGmbStatusName(gmb.status)),
  changed: ({ changed_fields }) => changed_fields.join(', '),
  checked_at: ({ checked_at }) => checked_at,
  campaign_name: ({ campaign_name }) => campaign_name,
  updated_at: ({ updated_at }) => updated_at,
})
