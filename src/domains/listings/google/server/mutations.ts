import { eq, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { type Actor, difference } from '#core/audit/write-audit.ts'
import type { Db, Tx } from '#core/db/db.ts'
import { conflict, invalid, notFound, Refusal } from '#core/http/errors.ts'
import { GoogleRefusal } from '#integrations/google/errors.ts'
import { type Location, readLocation, tryPatch } from '#integrations/google/locations.ts'
import type { GoogleLocation, LocationChange, LocationForm } from '../contract.ts'
import { type Category, type ChangedFields, type Field, type Fields, inWords, labels } from '../labels.ts'
import { googleEdits, googleLocations } from '../schema.ts'
import { categoriesOf, keepCategories } from './categories.ts'
import { enqueue, workOff } from './edit-queue.ts'
import { saidOfFields } from './field-errors.ts'
import { asking, expectConnected, refusalOf } from './google-access.ts'
import { fieldsOf, patchFor } from './location-mapping.ts'
import { readRow } from './queries.ts'
import { keep } from './store-locations.ts'
import { lookCloser } from './sync.ts'

/** What would change, after Google has agreed to it in a dry run. */
export async function checkLocation(house: House, id: number, form: LocationForm): Promise<LocationChange[]> {
  const { changes, was } = await prepare(house, id, form)
  return (Object.keys(labels) as Field[]) // its keys
    .filter((field) => field in changes)
    .map((field) => ({ field, before: inWords(was[field]), after: inWords(changes[field]) }))
}

/** Changes what differs. Where the minute is full it waits, and the answer says so. */
export async function saveLocation(
  house: House,
  actor: Actor,
  id: number,
  form: LocationForm,
): Promise<GoogleLocation> {
  const { changes } = await prepare(house, id, form)
  if (Object.keys(changes).length === 0) return readRow(house.db, id)
  const editId = await house.db.transaction(async (tx) => {
    await expectNewest(tx, id, form.version)
    await tx
      .update(googleLocations)
      .set({ version: sql`${googleLocations.version} + 1` })
      .where(eq(googleLocations.id, id))
    return enqueue(tx, house, {
      location_id: id,
      fields: changes,
      user_id: actor.me?.id ?? null,
      username: actor.me?.username ?? null,
      request_id: actor.requestId ?? null,
      address: actor.address ?? null,
    })
  })
  await workOff(house, id)
  await tellFailure(house.db, editId)
  return readRow(house.db, id)
}

/** What Google said against it is told here and now, and stands on the row no longer. */
async function tellFailure(db: Db, editId: number) {
  const [edit] = await db.select().from(googleEdits).where(eq(googleEdits.id, editId))
  if (edit?.state !== 'failed') return
  await db.update(googleEdits).set({ state: 'done' }).where(eq(googleEdits.id, editId))
  throw new Refusal(422, edit.error ?? 'Google refuses it', edit.errors ?? undefined)
}

type Prepared = { changes: ChangedFields; was: Fields }

/** What Google has now is read first: nobody overwrites what was changed there meanwhile. Then it is asked whether it would agree. */
async function prepare(house: House, id: number, form: LocationForm): Promise<Prepared> {
  const [row] = await house.db.select().from(googleLocations).where(eq(googleLocations.id, id))
  if (!row) throw notFound()
  expectConnected(house)
  const ask = asking(house, row.account_id)
  const location = await readAgain(house, row)
  const now = await readRow(house.db, id)
  const was = withWaiting(now)
  const changes = await differing(house.db, row.region_code, was, form)
  if (Object.keys(changes).length === 0) return { changes, was }
  if (form.version !== undefined && form.version < now.version) throw somebodyElse(now)
  const patch = patchFor(changes, location)
  try {
    await tryPatch(ask, row.name, patch)
  } catch (error) {
    throw error instanceof GoogleRefusal ? refused(error, changes) : refusalOf(error)
  }
  return { changes, was }
}

type Row = typeof googleLocations.$inferSelect

async function readAgain(house: House, row: Row): Promise<Location> {
  const askedAt = new Date()
  try {
    const ask = asking(house, row.account_id)
    const location = await readLocation(ask, row.name)
    const business = { name: row.business_account, accountName: row.business_account_name }
    await keep(house.db, { accountId: row.account_id, business }, [await lookCloser(house, ask, location)], askedAt)
    return location
  } catch (error) {
    if (!(error instanceof GoogleRefusal && error.status === 404)) throw refusalOf(error)
    const vanished_since = sql`coalesce(${googleLocations.vanished_since}, now())`
    await house.db.update(googleLocations).set({ vanished_since }).where(eq(googleLocations.id, row.id))
    throw conflict('Google does not have this location any more')
  }
}

function refused(error: GoogleRefusal, changes: ChangedFields): Refusal {
  const errors = saidOfFields(error, changes)
  return Object.keys(errors).length > 0 ? invalid(errors) : new Refusal(422, `Google says: ${error.message}`)
}

const somebodyElse = (newer: GoogleLocation) => conflict('Somebody changed this location meanwhile', { newer })

async function expectNewest(tx: Tx, id: number, seen: number | undefined) {
  const [row] = await tx
    .select({ version: googleLocations.version })
    .from(googleLocations)
    .where(eq(googleLocations.id, id))
    .for('update')
  if (!row) throw notFound()
  if (seen !== undefined && seen < row.version) throw somebodyElse(await readRow(tx, id))
}

/** As it will be when all that waits is done. */
const withWaiting = (row: GoogleLocation): Fields => ({
  ...fieldsOf(row),
  ...(row.edit?.state === 'waiting' ? row.edit.fields : {}),
})

/** What is sent and is not so already. Categories are told apart by their names alone. */
async function differing(
  db: Db,
  region: string,
  was: Fields,
  { version, ...form }: LocationForm,
): Promise<ChangedFields> {
  const { primary_category: primary, categories: others, ...plain } = form
  const sent = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  const chosen = [...(primary ? [primary] : []), ...(others ?? [])]
  const isKnown = ({ name }: { name: string }) => all.find((one) => one.name === name)
  const own = [...(was.primary_category ? [was.primary_category] : []), ...was.categories]
  const all = chosen.every(({ name }) => own.some((one) => one.name === name))
    ? own
    : [...own, ...(await categoriesOf(db, region))]
  const called = (one: { name: string; displayName?: string | undefined }): Category =>
    isKnown(one) ?? { name: one.name, displayName: one.displayName || one.name }
  return difference(was, {
    ...sent,
    ...(primary === undefined ? {} : { primary_category: primary && called(primary) }),
    ...(others === undefined ? {} : { categories: (others ?? []).map(called) }),
  }).after
}

/** The categories of the location's region; where they were never read they are now. */
export async function categoriesFor(house: House, id: number, search?: string): Promise<Category[]> {
  const [row] = await house.db.select().from(googleLocations).where(eq(googleLocations.id, id))
  if (!row) throw notFound()
  const known = await categoriesOf(house.db, row.region_code, search)
  if (known.length > 0 || (search && (await categoriesOf(house.db, row.region_code)).length > 0)) return known
  expectConnected(house)
  try {
    await keepCategories(house, asking(house, row.account_id), row.region_code)
  } catch (error) {
    throw refusalOf(error)
  }
  return categoriesOf(house.db, row.region_code, search)
}
