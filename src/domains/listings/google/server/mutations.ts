import { eq, sql } from 'drizzle-orm'
import { type AuditActor, diffFields } from '#core/audit/write-audit.ts'
import type { Db, Tx } from '#core/db/db.ts'
import { conflictError, HttpError, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { GoogleApiError } from '#integrations/google/errors.ts'
import { type BusinessLocation, readLocation, validateLocationPatch } from '#integrations/google/locations.ts'
import { type GoogleLocation, googleLocationsContract, type LocationChange, type LocationForm } from '../contract.ts'
import {
  type ChangedLocationFields,
  formatLocationValue,
  type LocationCategory,
  type LocationField,
  type LocationFields,
  locationFieldLabels,
} from '../labels.ts'
import { googleEditsTable, googleLocationsTable } from '../schema.ts'
import { findCategories, refreshCategories } from './categories.ts'
import { enqueueEdit, sendWaitingEdits } from './edit-queue.ts'
import { toLocationFieldErrors } from './field-errors.ts'
import { createGoogleFetch, requireGoogleConnected, toGoogleHttpError } from './google-access.ts'
import { buildLocationPatch, pickLocationFields } from './location-mapping.ts'
import { readGoogleLocation } from './queries.ts'
import { upsertLocations } from './store-locations.ts'
import { readLocationDetails } from './sync.ts'

/** What would change, after Google has agreed to it in a dry run. */
export async function previewLocationChanges(
  context: AppContext,
  id: number,
  form: LocationForm,
): Promise<LocationChange[]> {
  const { changes, was } = await prepareChanges(context, id, form)
  return (Object.keys(locationFieldLabels) as LocationField[]) // its keys
    .filter((field) => field in changes)
    .map((field) => ({ field, before: formatLocationValue(was[field]), after: formatLocationValue(changes[field]) }))
}

/** Changes what differs. Where the minute is full it waits, and the answer says so. */
export async function saveLocation(
  context: AppContext,
  actor: AuditActor,
  id: number,
  form: LocationForm,
): Promise<GoogleLocation> {
  const { changes } = await prepareChanges(context, id, form)
  if (Object.keys(changes).length === 0) return readGoogleLocation(context.db, id)
  const editId = await context.db.transaction(async (tx) => {
    await requireNewestVersion(tx, id, form.version)
    await tx
      .update(googleLocationsTable)
      .set({ version: sql`${googleLocationsTable.version} + 1` })
      .where(eq(googleLocationsTable.id, id))
    return enqueueEdit(tx, context, {
      location_id: id,
      fields: changes,
      user_id: actor.me?.id ?? null,
      username: actor.me?.username ?? null,
      request_id: actor.requestId ?? null,
      address: actor.address ?? null,
    })
  })
  await sendWaitingEdits(context, id)
  await throwEditFailure(context.db, editId)
  return readGoogleLocation(context.db, id)
}

/** What Google said against it is told here and now, and stands on the row no longer. */
async function throwEditFailure(db: Db, editId: number) {
  const [edit] = await db.select().from(googleEditsTable).where(eq(googleEditsTable.id, editId))
  if (edit?.state !== 'failed') return
  await db.update(googleEditsTable).set({ state: 'done' }).where(eq(googleEditsTable.id, editId))
  throw new HttpError(422, edit.error ?? 'Google refuses it', edit.errors ?? undefined)
}

type PreparedChanges = { changes: ChangedLocationFields; was: LocationFields }

/** What Google has now is read first: nobody overwrites what was changed there meanwhile. Then it is asked whether it would agree. */
async function prepareChanges(context: AppContext, id: number, form: LocationForm): Promise<PreparedChanges> {
  const [row] = await context.db.select().from(googleLocationsTable).where(eq(googleLocationsTable.id, id))
  if (!row) throw notFoundError()
  requireGoogleConnected(context)
  const ask = createGoogleFetch(context, row.account_id)
  const location = await rereadLocation(context, row)
  const now = await readGoogleLocation(context.db, id)
  const was = applyWaitingEdits(now)
  const changes = await diffLocation(context.db, row.region_code, was, form)
  if (Object.keys(changes).length === 0) return { changes, was }
  if (form.version !== undefined && form.version < now.version) throw createVersionConflict(now)
  const patch = buildLocationPatch(changes, location)
  try {
    await validateLocationPatch(ask, row.name, patch)
  } catch (error) {
    throw error instanceof GoogleApiError ? toEditError(error, changes) : toGoogleHttpError(error)
  }
  return { changes, was }
}

type LocationRow = typeof googleLocationsTable.$inferSelect

async function rereadLocation(context: AppContext, row: LocationRow): Promise<BusinessLocation> {
  const askedAt = new Date()
  try {
    const ask = createGoogleFetch(context, row.account_id)
    const location = await readLocation(ask, row.name)
    const business = { name: row.business_account, accountName: row.business_account_name }
    await upsertLocations(
      context.db,
      { accountId: row.account_id, business },
      [await readLocationDetails(context, ask, location)],
      askedAt,
    )
    return location
  } catch (error) {
    if (!(error instanceof GoogleApiError && error.status === 404)) throw toGoogleHttpError(error)
    const vanished_since = sql`coalesce(${googleLocationsTable.vanished_since}, now())`
    await context.db.update(googleLocationsTable).set({ vanished_since }).where(eq(googleLocationsTable.id, row.id))
    throw conflictError('Google does not have this location any more')
  }
}

function toEditError(error: GoogleApiError, changes: ChangedLocationFields): HttpError {
  const errors = toLocationFieldErrors(error, changes)
  return Object.keys(errors).length > 0 ? validationError(errors) : new HttpError(422, `Google says: ${error.message}`)
}

const createVersionConflict = (now: GoogleLocation) =>
  staleVersionError(googleLocationsContract.update, 'Somebody changed this location meanwhile', now)

async function requireNewestVersion(tx: Tx, id: number, seen: number | undefined) {
  const [row] = await tx
    .select({ version: googleLocationsTable.version })
    .from(googleLocationsTable)
    .where(eq(googleLocationsTable.id, id))
    .for('update')
  if (!row) throw notFoundError()
  if (seen !== undefined && seen < row.version) throw createVersionConflict(await readGoogleLocation(tx, id))
}

/** As it will be when all that waits is done. */
const applyWaitingEdits = (row: GoogleLocation): LocationFields => ({
  ...pickLocationFields(row),
  ...(row.edit?.state === 'waiting' ? row.edit.fields : {}),
})

/** What is sent and is not so already. Categories are told apart by their names alone. */
async function diffLocation(
  db: Db,
  region: string,
  was: LocationFields,
  { version, ...form }: LocationForm,
): Promise<ChangedLocationFields> {
  const { primary_category: primary, categories: others, ...plain } = form
  const sent = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  const chosen = [...(primary ? [primary] : []), ...(others ?? [])]
  const isKnown = ({ name }: { name: string }) => all.find((one) => one.name === name)
  const own = [...(was.primary_category ? [was.primary_category] : []), ...was.categories]
  const all = chosen.every(({ name }) => own.some((one) => one.name === name))
    ? own
    : [...own, ...(await findCategories(db, region))]
  const called = (one: { name: string; displayName?: string | undefined }): LocationCategory =>
    isKnown(one) ?? { name: one.name, displayName: one.displayName || one.name }
  return diffFields(was, {
    ...sent,
    ...(primary === undefined ? {} : { primary_category: primary && called(primary) }),
    ...(others === undefined ? {} : { categories: (others ?? []).map(called) }),
  }).after
}

/** The categories of the location's region; where they were never read they are now. */
export async function readAvailableCategories(
  context: AppContext,
  id: number,
  search?: string,
): Promise<LocationCategory[]> {
  const [row] = await context.db.select().from(googleLocationsTable).where(eq(googleLocationsTable.id, id))
  if (!row) throw notFoundError()
  const known = await findCategories(context.db, row.region_code, search)
  if (known.length > 0 || (search && (await findCategories(context.db, row.region_code)).length > 0)) return known
  requireGoogleConnected(context)
  try {
    await refreshCategories(context, createGoogleFetch(context, row.account_id), row.region_code)
  } catch (error) {
    throw toGoogleHttpError(error)
  }
  return findCategories(context.db, row.region_code, search)
}
