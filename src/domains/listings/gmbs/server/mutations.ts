import { and, eq, inArray, sql } from 'drizzle-orm'
import { type AuditActor, diffFields, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { isStale, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { zipCodesTable } from '#domains/campaigns/area/schema.ts'
import { requireCampaign } from '#domains/campaigns/public.ts'
import { requestGoogleSync } from '#domains/listings/checks/server/google-check.ts'
import { requestedChecksJob } from '#domains/listings/checks/server/jobs.ts'
import { type GmbForm, gmbsContract } from '../contract.ts'
import { suspendedStatus } from '../labels.ts'
import { getCid } from '../maps-link.ts'
import { getPasswordContext, getRecoveryEmailContext, gmbsTable, resetCheckColumns } from '../schema.ts'
import { toLogLines } from './listing-log.ts'
import { buildVisibleGmbsFilter, decryptRecoveryEmail, readGmb } from './queries.ts'
import { type GmbRow, type GmbValues, gmbAuditKind, updateGmbRow, writeGmbLog } from './store.ts'

export type GmbMutationContext = { me: CurrentUser; actor: AuditActor; context: AppContext }

export async function addGmb(tx: Tx, by: GmbMutationContext, form: GmbForm): Promise<number> {
  const { password, recovery_email, version: _, ...plain } = form
  await requireCampaign(tx, by.me, form.campaign_id, { lock: 'key share' })
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
  await writeGmbLog(tx, by.actor, id, [{ changed: 'Listing', new: 'created' }])
  return id
}

/** Updates the fields that were sent, and writes nothing if none differs. Throws 409 with the newer listing for an old version. */
export async function updateGmb(tx: Tx, by: GmbMutationContext, id: number, form: GmbForm): Promise<void> {
  const { password, recovery_email, version, ...plain } = form
  const row = await lockGmb(tx, by.me, id)
  const wanted = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  const isOther = recovery_email !== undefined && recovery_email !== decryptRecoveryEmail(by.context.secrets, row)
  const secrets = { password, recovery_email: isOther ? recovery_email : undefined }
  const changes: Partial<GmbRow> = diffFields(row, wanted).after
  if (Object.keys(changes).length === 0 && Object.keys(redactSecrets(secrets)).length === 0) return
  if (isStale(version, row.version))
    throw staleVersionError(
      gmbsContract.update,
      'Someone else changed this listing in the meantime',
      await readGmb(tx, by.context.secrets, by.me, id),
    )
  if (changes.campaign_id !== undefined) await requireCampaign(tx, by.me, changes.campaign_id, { lock: 'key share' })
  await saveGmbEdit(tx, by, row, {
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

/** Flips a switch, or sets it to the given value. */
export async function toggleGmb(
  tx: Tx,
  by: GmbMutationContext,
  id: number,
  name: 'client_owned' | 'is_client_location',
  wanted: boolean | undefined,
): Promise<void> {
  const row = await lockGmb(tx, by.me, id)
  const next = wanted ?? !row[name]
  if (next !== row[name]) await saveGmbEdit(tx, by, row, { shown: { [name]: next } })
}

/** Accepts the public listing as it is. Throws 409 with the newer listing for an old version: its reader has not seen the latest change. */
export async function acceptGmb(
  tx: Tx,
  by: GmbMutationContext,
  id: number,
  version: number | undefined,
): Promise<void> {
  const row = await lockGmb(tx, by.me, id)
  if (!row.changed) return
  if (isStale(version, row.version))
    throw staleVersionError(
      gmbsContract.accept,
      'This listing has changed in the meantime. Please review it again',
      await readGmb(tx, by.context.secrets, by.me, id),
    )
  await saveGmbEdit(tx, by, row, { shown: { changed: false }, columns: { changed_at: null, changed_fields: [] } })
}

/** Queues checks of all these listings or of none, in their order. Listings already queued keep their place. */
export async function requestChecks(tx: Tx, by: GmbMutationContext, ids: number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  const position = sql`array_position(${sql.param(wanted)}::int[], ${gmbsTable.id})`
  const queued = await tx
    .update(gmbsTable)
    .set({ check_asked_at: sql`coalesce(${gmbsTable.check_asked_at}, now() + ${position} * interval '1 millisecond')` })
    .where(and(inArray(gmbsTable.id, wanted), buildVisibleGmbsFilter(by.me)))
    .returning({ id: gmbsTable.id })
  if (queued.length < wanted.length) throw validationError({ ids: ['There is no such listing'] })
  await requestGoogleSync(tx, by.context, wanted)
  await by.context.jobs.send(tx, requestedChecksJob, {}, { key: 'asked' })
}

export async function removeGmb(tx: Tx, by: GmbMutationContext, id: number): Promise<void> {
  const { title, link, campaign_id } = await lockGmb(tx, by.me, id)
  await tx.update(gmbsTable).set({ deleted_at: sql`now()` }).where(eq(gmbsTable.id, id))
  await writeAudit(tx, by.actor, { kind: gmbAuditKind, rowId: id, before: { title, link, campaign_id }, after: null })
}

/** Locks the listing until the transaction ends. Throws 404 for a listing that this user may not see. */
async function lockGmb(tx: Tx, me: CurrentUser, id: number): Promise<GmbRow> {
  const [row] = await tx
    .select()
    .from(gmbsTable)
    .where(and(eq(gmbsTable.id, id), buildVisibleGmbsFilter(me)))
    .for('update')
  if (!row) throw notFoundError()
  return row
}

type GmbEdit = { shown: Partial<GmbRow>; columns?: GmbValues; secrets?: Record<string, string> }

/** Saves a user's change: `shown` and `secrets` are logged, `columns` are not. */
async function saveGmbEdit(
  tx: Tx,
  { actor }: GmbMutationContext,
  before: GmbRow,
  { shown, columns = {}, secrets = {} }: GmbEdit,
) {
  const names = Object.keys(secrets)
  await updateGmbRow(tx, actor, before, {
    columns: { ...shown, ...columns },
    lines: await toLogLines(tx, { before, after: shown, secrets: names }),
    audit: {
      before: { ...before, ...Object.fromEntries(names.map((name) => [name, 'old'])) },
      after: { ...shown, ...secrets },
    },
  })
}

type GmbSecrets = Pick<GmbForm, 'password' | 'recovery_email'>

/** An empty password keeps the old one; an empty recovery email removes it. */
function sealSecrets(
  { context: { secrets } }: GmbMutationContext,
  id: number,
  { password, recovery_email }: GmbSecrets,
): Partial<GmbRow> {
  return {
    ...(password ? { password: secrets.seal(password, getPasswordContext(id)) } : {}),
    ...(recovery_email ? { recovery_email: secrets.seal(recovery_email, getRecoveryEmailContext(id)) } : {}),
    ...(recovery_email === null ? { recovery_email } : {}),
  }
}

/** Returns what logs may say of secrets. */
const redactSecrets = ({ password, recovery_email }: GmbSecrets): Record<string, string> => ({
  ...(password ? { password: 'changed' } : {}),
  ...(recovery_email === undefined ? {} : { recovery_email: 'changed' }),
})

const getSuspendedAt = (status: number, before: Date | null) =>
  status === suspendedStatus ? (before ?? new Date()) : null

/** Returns the center of the ZIP code that an address ends with: the best guess without a geocoding service. */
async function findCoordinates(tx: Tx, address: string | null | undefined) {
  const zip = /(?:^|[\s,])(\d{5})(?:-\d{4})?[\s,.]*(?:USA?|United States)?[\s.]*$/i.exec(address ?? '')?.[1]
  const [found] = zip
    ? await tx.select({ centre: zipCodesTable.centre }).from(zipCodesTable).where(eq(zipCodesTable.zip, zip))
    : []
  return { latitude: found?.centre.y ?? null, longitude: found?.centre.x ?? null }
}
