import { eq } from 'drizzle-orm'
import type { BeforeJson } from '#contract/instants.ts'
import { toActorColumns } from '#core/audit/actor-columns.ts'
import { type AuditActor, diffFields } from '#core/audit/write-audit.ts'
import type { Db, Tx } from '#core/db/db.ts'
import {
  conflictError,
  HttpError,
  isStale,
  notFoundError,
  staleVersionError,
  validationError,
} from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { GoogleApiError } from '#integrations/google/errors.ts'
import { type BusinessLocation, validateLocationPatch } from '#integrations/google/locations.ts'
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
import { createGoogleFetch, requireOAuthClient, toGoogleHttpError } from './google-access.ts'
import { buildLocationPatch, pickLocationFields } from './location-mapping.ts'
import { readGoogleLocation } from './queries.ts'
import { incrementLocationVersion, markLocationVanished } from './store-locations.ts'
import { type LocationRow, refreshLocation } from './sync.ts'

/** Returns what would change, after a dry run at Google. */
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

/** Saves what differs. Over the limit per minute the edit waits, and `edit` of the result says so. */
export async function saveLocation(
  context: AppContext,
  actor: AuditActor,
  id: number,
  form: LocationForm,
): Promise<BeforeJson<GoogleLocation>> {
  const { changes } = await prepareChanges(context, id, form)
  if (Object.keys(changes).length === 0) return readGoogleLocation(context.db, id)
  const editId = await context.db.transaction(async (tx) => {
    await requireNewestVersion(tx, id, form.version)
    await incrementLocationVersion(tx, id)
    return enqueueEdit(tx, context, { location_id: id, fields: changes, ...toActorColumns(actor) })
  })
  await sendWaitingEdits(context, id)
  await throwEditFailure(context.db, editId)
  return readGoogleLocation(context.db, id)
}

/** Throws Google's error for an edit that failed at once, and clears the error from the row. */
async function throwEditFailure(db: Db, editId: number) {
  const [edit] = await db.select().from(googleEditsTable).where(eq(googleEditsTable.id, editId))
  if (edit?.state !== 'failed') return
  await db.update(googleEditsTable).set({ state: 'done' }).where(eq(googleEditsTable.id, editId))
  throw new HttpError(422, edit.error ?? 'Google refuses it', edit.errors ?? undefined)
}

type PreparedChanges = { changes: ChangedLocationFields; was: LocationFields }

/** Reads Google's current values first, so that changes made there are not overwritten, then validates the edit with a dry run. */
async function prepareChanges(context: AppContext, id: number, form: LocationForm): Promise<PreparedChanges> {
  const [row] = await context.db.select().from(googleLocationsTable).where(eq(googleLocationsTable.id, id))
  if (!row) throw notFoundError()
  await requireOAuthClient(context)
  const ask = createGoogleFetch(context, row.account_id)
  const location = await rereadLocation(context, row)
  const now = await readGoogleLocation(context.db, id)
  const was = applyWaitingEdits(now)
  const changes = await diffLocation(context.db, row.region_code, was, form)
  if (Object.keys(changes).length === 0) return { changes, was }
  if (isStale(form.version, now.version)) throw createVersionConflict(now)
  const patch = buildLocationPatch(changes, location)
  try {
    await validateLocationPatch(ask, row.name, patch)
  } catch (error) {
    throw error instanceof GoogleApiError ? toEditError(error, changes) : toGoogleHttpError(error)
  }
  return { changes, was }
}

async function rereadLocation(context: AppContext, row: LocationRow): Promise<BusinessLocation> {
  try {
    return await refreshLocation(context, createGoogleFetch(context, row.account_id), row)
  } catch (error) {
    if (!(error instanceof GoogleApiError && error.status === 404)) throw toGoogleHttpError(error)
    await markLocationVanished(context.db, row.id)
    throw conflictError('Google no longer has this location')
  }
}

function toEditError(error: GoogleApiError, changes: ChangedLocationFields): HttpError {
  const errors = toLocationFieldErrors(error, changes)
  return Object.keys(errors).length > 0 ? validationError(errors) : new HttpError(422, `Google says: ${error.message}`)
}

const createVersionConflict = (now: BeforeJson<GoogleLocation>) =>
  staleVersionError(googleLocationsContract.update, 'Someone else changed this location in the meantime', now)

async function requireNewestVersion(tx: Tx, id: number, seen: number | undefined) {
  const [row] = await tx
    .select({ version: googleLocationsTable.version })
    .from(googleLocationsTable)
    .where(eq(googleLocationsTable.id, id))
    .for('update')
  if (!row) throw notFoundError()
  if (isStale(seen, row.version)) throw createVersionConflict(await readGoogleLocation(tx, id))
}

/** Returns the location as it will be once its waiting edits are sent. */
const applyWaitingEdits = (row: BeforeJson<GoogleLocation>): LocationFields => ({
  ...pickLocationFields(row),
  ...(row.edit?.state === 'waiting' ? row.edit.fields : {}),
})

/** Returns the sent fields that differ. Categories are compared by `name`. */
async function diffLocation(
  db: Db,
  region: string,
  was: LocationFields,
  { version, ...form }: LocationForm,
): Promise<ChangedLocationFields> {
  const { primary_category: primary, categories: others, ...plain } = form
  const sent = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  const chosen = [...(primary ? [primary] : []), ...(others ?? [])]
  const findCategory = ({ name }: { name: string }) => all.find((one) => one.name === name)
  const own = [...(was.primary_category ? [was.primary_category] : []), ...was.categories]
  const all = chosen.every(({ name }) => own.some((one) => one.name === name))
    ? own
    : [...own, ...(await findCategories(db, region))]
  const toCategory = (one: { name: string; displayName?: string | undefined }): LocationCategory =>
    findCategory(one) ?? { name: one.name, displayName: one.displayName || one.name }
  return diffFields(was, {
    ...sent,
    ...(primary === undefined ? {} : { primary_category: primary && toCategory(primary) }),
    ...(others === undefined ? {} : { categories: (others ?? []).map(toCategory) }),
  }).after
}

/** Returns the categories of the location's region; reads them from Google the first time. */
export async function readAvailableCategories(
  context: AppContext,
  id: number,
  search?: string,
): Promise<LocationCategory[]> {
  const [row] = await context.db.select().from(googleLocationsTable).where(eq(googleLocationsTable.id, id))
  if (!row) throw notFoundError()
  const known = await findCategories(context.db, row.region_code, search)
  if (known.length > 0 || (search && (await findCategories(context.db, row.region_code)).length > 0)) return known
  await requireOAuthClient(context)
  try {
    await refreshCategories(context, createGoogleFetch(context, row.account_id), row.region_code)
  } catch (error) {
    throw toGoogleHttpError(error)
  }
  return findCategories(context.db, row.region_code, search)
}
