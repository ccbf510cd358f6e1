import { and, eq, inArray, sql } from 'drizzle-orm'
import { type AuditActor, diffFields, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { zipCodesTable } from '#domains/campaigns/area/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { requestGoogleSync } from '#domains/listings/checks/server/google-check.ts'
import { requestedChecksJob } from '#domains/listings/checks/server/jobs.ts'
import { type GmbForm, gmbsContract } from '../contract.ts'
import { suspendedStatus } from '../labels.ts'
import { getCid } from '../maps-link.ts'
import { getPasswordContext, getRecoveryEmailContext, gmbsTable, resetCheckColumns } from '../schema.ts'
import { writeGmbLog } from './listing-log.ts'
import { buildVisibleGmbsFilter, decryptRecoveryEmail, type GmbRow, readGmb } from './queries.ts'

/** Who, through which request, and with which key. */
export type GmbMutationContext = { me: CurrentUser; actor: AuditActor; context: AppContext }
type GmbValues = Partial<typeof gmbsTable.$inferInsert>
const gmbAuditKind = 'listing'

export async function addGmb(tx: Tx, by: GmbMutationContext, form: GmbForm): Promise<number> {
  const { password, recovery_email, version: _, ...plain } = form
  await requireCampaign(tx, by.me, form.campaign_id)
  const values = {
    ...plain,
    ...(await findCoordinates(tx, plain.address)),
    suspended_at: getSuspendedAt(form.status, null),
  }
  const [made] = await tx.insert(gmbsTable).values(values).returning({ id: gmbsTable.id })
  const { id } = made!
  const secrets = sealSecrets(by, id, { password, recovery_email })
  if (Object.keys(secrets).length > 0) await tx.update(gmbsTable).set(secrets).where(eq(gmbsTable.id, id))
  const after = { ...plain, ...redactSecrets({ password, recovery_email }) }
  await writeAudit(tx, by.actor, { kind: gmbAuditKind, rowId: id, before: null, after, version: 1 })
  await writeGmbLog(tx, by.actor, id, { created: true })
  return id
}

/** What is sent over what was there. What changes nothing leaves no trace; an older version answers 409 with the newer listing. */
export async function updateGmb(tx: Tx, by: GmbMutationContext, id: number, form: GmbForm): Promise<void> {
  const { password, recovery_email, version: seen, ...plain } = form
  const row = await lockGmb(tx, by.me, id)
  const wanted = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  const isOther = recovery_email !== undefined && recovery_email !== decryptRecoveryEmail(by.context.secrets, row)
  const secrets = { password, recovery_email: isOther ? recovery_email : undefined }
  const changes: GmbValues = diffFields(row, wanted).after
  if (Object.keys(changes).length === 0 && Object.keys(redactSecrets(secrets)).length === 0) return
  if (seen !== undefined && seen < row.version)
    throw staleVersionError(
      gmbsContract.update,
      'Somebody changed this listing meanwhile',
      await readGmb(tx, by.context.secrets, by.me, id),
    )
  if (changes.campaign_id !== undefined) await requireCampaign(tx, by.me, changes.campaign_id)
  await writeGmbUpdate(tx, by, row, {
    shown: changes,
    columns: {
      ...sealSecrets(by, id, secrets),
      ...(changes.link !== undefined && getCid(changes.link) !== getCid(row.link) ? resetCheckColumns() : {}),
      ...('address' in changes ? await findCoordinates(tx, changes.address) : {}),
      ...('status' in changes ? { suspended_at: getSuspendedAt(form.status, row.suspended_at) } : {}),
    },
    secrets: redactSecrets(secrets),
  })
}

/** A switch: the other way, or as wanted. */
export async function toggleGmb(
  tx: Tx,
  by: GmbMutationContext,
  id: number,
  name: 'client_owned' | 'is_client_location',
  wanted: boolean | undefined,
): Promise<void> {
  const row = await lockGmb(tx, by.me, id)
  const next = wanted ?? !row[name]
  if (next !== row[name]) await writeGmbUpdate(tx, by, row, { shown: { [name]: next } })
}

/** What became different after they looked is not theirs to accept: an older version answers 409 with the newer listing. */
export async function acceptGmb(tx: Tx, by: GmbMutationContext, id: number, seen: number | undefined): Promise<void> {
  const row = await lockGmb(tx, by.me, id)
  if (!row.changed) return
  if (seen !== undefined && seen < row.version)
    throw staleVersionError(
      gmbsContract.accept,
      'This listing has changed meanwhile: look at it again',
      await readGmb(tx, by.context.secrets, by.me, id),
    )
  await writeGmbUpdate(tx, by, row, { shown: { changed: false }, columns: { changed_at: null, changed_fields: [] } })
}

/** All of them or none, in the order in which they are named. Those that wait already wait on. */
export async function requestChecks(tx: Tx, by: GmbMutationContext, ids: number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  const place = sql`array_position(${sql.param(wanted)}::int[], ${gmbsTable.id})`
  const asked = await tx
    .update(gmbsTable)
    .set({ check_asked_at: sql`coalesce(${gmbsTable.check_asked_at}, now() + ${place} * interval '1 millisecond')` })
    .where(and(inArray(gmbsTable.id, wanted), buildVisibleGmbsFilter(by.me)))
    .returning({ id: gmbsTable.id })
  if (asked.length < wanted.length) throw validationError({ ids: ['There is no such listing'] })
  await requestGoogleSync(tx, by.context, wanted)
  await by.context.jobs.send(tx, requestedChecksJob, {}, { key: 'asked' })
}

export async function removeGmb(tx: Tx, by: GmbMutationContext, id: number): Promise<void> {
  const { title, link, campaign_id } = await lockGmb(tx, by.me, id)
  await tx.update(gmbsTable).set({ deleted_at: sql`now()` }).where(eq(gmbsTable.id, id))
  await writeAudit(tx, by.actor, { kind: gmbAuditKind, rowId: id, before: { title, link, campaign_id }, after: null })
}

/** Locked until the change is done. */
async function lockGmb(tx: Tx, me: CurrentUser, id: number): Promise<GmbRow> {
  const [row] = await tx
    .select()
    .from(gmbsTable)
    .where(and(eq(gmbsTable.id, id), buildVisibleGmbsFilter(me)))
    .for('update')
  if (!row) throw notFoundError()
  return row
}

type GmbUpdate = { shown: GmbValues; columns?: GmbValues; secrets?: Record<string, string> }

async function writeGmbUpdate(
  tx: Tx,
  { actor }: GmbMutationContext,
  before: GmbRow,
  { shown, columns = {}, secrets = {} }: GmbUpdate,
) {
  const { id } = before
  const version = before.version + 1
  await tx
    .update(gmbsTable)
    .set({ ...shown, ...columns, version, updated_at: sql`now()` })
    .where(eq(gmbsTable.id, id))
  const without = { ...before, ...Object.fromEntries(Object.keys(secrets).map((name) => [name, 'old'])) }
  await writeAudit(tx, actor, {
    kind: gmbAuditKind,
    rowId: id,
    before: without,
    after: { ...shown, ...secrets },
    version,
  })
  await writeGmbLog(tx, actor, id, { before, after: shown, secrets: Object.keys(secrets) })
}

/** No such campaign, and one that this person may not see: the same words for both. */
async function requireCampaign(tx: Tx, me: CurrentUser, id: number) {
  const [campaign] = await tx
    .select({ id: campaignsTable.id })
    .from(campaignsTable)
    .where(and(eq(campaignsTable.id, id), inVisibleCampaigns(me, campaignsTable.id)))
    .for('key share')
  if (!campaign) throw validationError({ campaign_id: ['There is no such campaign'] })
}

type GmbSecrets = Pick<GmbForm, 'password' | 'recovery_email'>

/** An empty password keeps the old one; an empty recovery email is none. */
function sealSecrets(
  { context: { secrets } }: GmbMutationContext,
  id: number,
  { password, recovery_email }: GmbSecrets,
): GmbValues {
  return {
    ...(password ? { password: secrets.seal(password, getPasswordContext(id)) } : {}),
    ...(recovery_email ? { recovery_email: secrets.seal(recovery_email, getRecoveryEmailContext(id)) } : {}),
    ...(recovery_email === null ? { recovery_email } : {}),
  }
}

/** What may be told of them. */
const redactSecrets = ({ password, recovery_email }: GmbSecrets): Record<string, string> => ({
  ...(password ? { password: 'changed' } : {}),
  ...(recovery_email === undefined ? {} : { recovery_email: 'changed' }),
})

const getSuspendedAt = (status: number, before: Date | null) =>
  status === suspendedStatus ? (before ?? new Date()) : null

/** The middle of the ZIP code that an address ends with: as near as an address tells without asking anybody. */
async function findCoordinates(tx: Tx, address: string | null | undefined) {
  const zip = /(?:^|[\s,])(\d{5})(?:-\d{4})?[\s,.]*(?:USA?|United States)?[\s.]*$/i.exec(address ?? '')?.[1]
  const [found] = zip
    ? await tx.select({ centre: zipCodesTable.centre }).from(zipCodesTable).where(eq(zipCodesTable.zip, zip))
    : []
  return { latitude: found?.centre.y ?? null, longitude: found?.centre.x ?? null }
}
