import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { Refusal } from '#core/http/errors.ts'
import { job } from '#core/jobs/jobs.ts'
import { GoogleRefusal } from '#integrations/google/errors.ts'
import { patchLocation, readLocation } from '#integrations/google/locations.ts'
import { googleEdits, googleLocations } from '../schema.ts'
import { saidOfFields } from './field-errors.ts'
import { asking, mayPass, Unlinked, wordsOf } from './google-access.ts'
import { fieldsOf, patchFor } from './location-mapping.ts'
import { keep } from './store-locations.ts'
import { lookCloser } from './sync.ts'

export const kind = 'Google location'
/** Google takes no more of one location, and cannot be asked to. */
const aMinute = 10
/** Seconds after which an edit that is being sent is taken for lost with its process; sending it again changes nothing. */
const patience = 60
/** Seconds until one that Google could not take just now is tried again. */
const rest = 30
const mostHours = 24

/** The edits of a location that wait; where nobody sends them at once, or their process dies. */
export const googleEdit = job<{ id: number }>({
  name: 'google-edit',
  run: (house, { id }) => workOff(house, id),
})

/** Puts an edit at the end of its location's queue. It is sent by whoever works it off. */
export async function enqueue(tx: Tx, { jobs }: House, edit: typeof googleEdits.$inferInsert): Promise<number> {
  const [made] = await tx.insert(googleEdits).values(edit).returning({ id: googleEdits.id })
  await jobs.send(tx, googleEdit, { id: edit.location_id }, { after: patience })
  return made!.id
}

/** Sends what waits for a location, one after the other, as far as the minute allows; the rest is left to a job. */
export async function workOff(house: House, locationId: number): Promise<void> {
  for (;;) {
    const turn = await house.db.transaction((tx) => nextTurn(tx, locationId))
    if (turn === null) return
    const wait = 'wait' in turn ? turn.wait : await send(house, turn.edit)
    if (wait === null) continue
    await house.db.transaction((tx) => house.jobs.send(tx, googleEdit, { id: locationId }, { after: wait }))
    return
  }
}

type Edit = typeof googleEdits.$inferSelect

/** The next one, marked as being sent; or for how many seconds it must wait. One of a location at a time. */
async function nextTurn(tx: Tx, locationId: number): Promise<{ edit: Edit } | { wait: number } | null> {
  await tx
    .select({ id: googleLocations.id })
    .from(googleLocations)
    .where(eq(googleLocations.id, locationId))
    .for('update')
  const [first] = await tx
    .select()
    .from(googleEdits)
    .where(and(eq(googleEdits.location_id, locationId), inArray(googleEdits.state, ['waiting', 'sending'])))
    .orderBy(asc(googleEdits.id))
    .limit(1)
  if (!first) return null
  const age = (Date.now() - (first.sent_at?.getTime() ?? 0)) / 1000
  if (first.state === 'sending' && age < patience) return { wait: Math.ceil(patience - age) + 1 }
  const lately = await tx
    .select({ sent_at: googleEdits.sent_at })
    .from(googleEdits)
    .where(and(eq(googleEdits.location_id, locationId), gt(googleEdits.sent_at, sql`now() - interval '1 minute'`)))
    .orderBy(asc(googleEdits.sent_at))
  const oldest = lately.at(-aMinute)?.sent_at
  if (oldest) return { wait: Math.ceil(60 - (Date.now() - oldest.getTime()) / 1000) + 1 }
  const [edit] = await tx
    .update(googleEdits)
    .set({ state: 'sending', sent_at: sql`now()` })
    .where(eq(googleEdits.id, first.id))
    .returning()
  return { edit: edit! }
}

/** Sends it, over what Google has at this moment. Answers for how many seconds the queue must rest, or null. */
async function send(house: House, edit: Edit): Promise<number | null> {
  const [before] = await house.db.select().from(googleLocations).where(eq(googleLocations.id, edit.location_id))
  if (!before) return null // unlinked meanwhile, and this edit with it
  const ask = asking(house, before.account_id)
  try {
    await patchLocation(ask, before.name, patchFor(edit.fields, await readLocation(ask, before.name)))
    const askedAt = new Date()
    const now = await lookCloser(house, ask, await readLocation(ask, before.name))
    const business = { name: before.business_account, accountName: before.business_account_name }
    await keep(house.db, { accountId: before.account_id, business }, [now], askedAt)
    await house.db.transaction((tx) => done(tx, edit, before))
    return null
  } catch (error) {
    if (error instanceof Unlinked) return null
    const isOld = Date.now() - edit.created_at.getTime() > mostHours * 3_600_000
    if (mayPass(error) && !isOld) {
      await house.db
        .update(googleEdits)
        .set({ state: 'waiting', error: wordsOf(error) })
        .where(eq(googleEdits.id, edit.id))
      return rest
    }
    if (wordsOf(error) === null && !(error instanceof Refusal))
      house.log.error({ err: error, edit: edit.id }, 'edit failed')
    await house.db.transaction((tx) => fail(tx, edit, error))
    return null
  }
}

/** With it, earlier ones that failed are no news any more. */
async function done(tx: Tx, edit: Edit, before: typeof googleLocations.$inferSelect) {
  await tx
    .update(googleEdits)
    .set({ state: 'done', error: null, ended_at: sql`now()` })
    .where(
      and(
        eq(googleEdits.location_id, edit.location_id),
        sql`(${googleEdits.id} = ${edit.id} or ${googleEdits.state} = 'failed')`,
      ),
    )
  const [after] = await tx.select().from(googleLocations).where(eq(googleLocations.id, edit.location_id))
  if (!after) return
  await record(tx, actorOf(edit), {
    kind,
    rowId: after.id,
    before: fieldsOf(before),
    after: { ...fieldsOf(before), ...edit.fields },
    version: after.version,
  })
}

/** Whoever has a form open believes in values that will not come: they get the older ones. */
async function fail(tx: Tx, { id, location_id, fields }: Edit, cause: unknown) {
  const errors =
    cause instanceof GoogleRefusal ? saidOfFields(cause, fields) : cause instanceof Refusal ? cause.errors : undefined
  const error = wordsOf(cause) ?? (cause instanceof Refusal ? cause.message : 'Something went wrong')
  await tx
    .update(googleEdits)
    .set({ state: 'failed', error, errors: errors ?? null, ended_at: sql`now()` })
    .where(eq(googleEdits.id, id))
  const isGone = cause instanceof GoogleRefusal && cause.status === 404
  await tx
    .update(googleLocations)
    .set({
      version: sql`${googleLocations.version} + 1`,
      ...(isGone ? { vanished_since: sql`coalesce(${googleLocations.vanished_since}, now())` } : {}),
    })
    .where(eq(googleLocations.id, location_id))
}

/** Who asked for it, for the trail. */
const actorOf = ({ user_id, username, request_id, address }: Edit) => ({
  me: user_id === null ? null : { id: user_id, username: username ?? '' },
  requestId: request_id ?? undefined,
  address: address ?? undefined,
})
