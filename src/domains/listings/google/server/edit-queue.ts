import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { GoogleApiError } from '#integrations/google/errors.ts'
import { patchLocation, readLocation } from '#integrations/google/locations.ts'
import { googleEditsTable, googleLocationsTable } from '../schema.ts'
import { toLocationFieldErrors } from './field-errors.ts'
import {
  AccountUnlinkedError,
  createGoogleFetch,
  describeGoogleError,
  isTransientGoogleError,
} from './google-access.ts'
import { buildLocationPatch, pickLocationFields } from './location-mapping.ts'
import { upsertLocations } from './store-locations.ts'
import { readLocationDetails } from './sync.ts'

export const locationAuditKind = 'Google location'
/** Google takes no more of one location, and cannot be asked to. */
const maxEditsPerMinute = 10
/** Seconds after which an edit that is being sent is taken for lost with its process; sending it again changes nothing. */
const sendTimeoutSeconds = 60
/** Seconds until one that Google could not take just now is tried again. */
const retryDelaySeconds = 30
const maxEditAgeHours = 24

/** The edits of a location that wait; where nobody sends them at once, or their process dies. */
export const googleEditJob = defineJob<{ id: number }>({
  name: 'google-edit',
  run: (context, { id }) => sendWaitingEdits(context, id),
})

/** Puts an edit at the end of its location's queue. It is sent by whoever works it off. */
export async function enqueueEdit(
  tx: Tx,
  { jobs }: AppContext,
  edit: typeof googleEditsTable.$inferInsert,
): Promise<number> {
  const [made] = await tx.insert(googleEditsTable).values(edit).returning({ id: googleEditsTable.id })
  await jobs.send(tx, googleEditJob, { id: edit.location_id }, { after: sendTimeoutSeconds })
  return made!.id
}

/** Sends what waits for a location, one after the other, as far as the minute allows; the rest is left to a job. */
export async function sendWaitingEdits(context: AppContext, locationId: number): Promise<void> {
  for (;;) {
    const turn = await context.db.transaction((tx) => claimNextEdit(tx, locationId))
    if (turn === null) return
    const wait = 'wait' in turn ? turn.wait : await sendEdit(context, turn.edit)
    if (wait === null) continue
    await context.db.transaction((tx) => context.jobs.send(tx, googleEditJob, { id: locationId }, { after: wait }))
    return
  }
}

type GoogleEdit = typeof googleEditsTable.$inferSelect

/** The next one, marked as being sent; or for how many seconds it must wait. One of a location at a time. */
async function claimNextEdit(tx: Tx, locationId: number): Promise<{ edit: GoogleEdit } | { wait: number } | null> {
  await tx
    .select({ id: googleLocationsTable.id })
    .from(googleLocationsTable)
    .where(eq(googleLocationsTable.id, locationId))
    .for('update')
  const [first] = await tx
    .select()
    .from(googleEditsTable)
    .where(and(eq(googleEditsTable.location_id, locationId), inArray(googleEditsTable.state, ['waiting', 'sending'])))
    .orderBy(asc(googleEditsTable.id))
    .limit(1)
  if (!first) return null
  const age = (Date.now() - (first.sent_at?.getTime() ?? 0)) / 1000
  if (first.state === 'sending' && age < sendTimeoutSeconds) return { wait: Math.ceil(sendTimeoutSeconds - age) + 1 }
  const lately = await tx
    .select({ sent_at: googleEditsTable.sent_at })
    .from(googleEditsTable)
    .where(
      and(eq(googleEditsTable.location_id, locationId), gt(googleEditsTable.sent_at, sql`now() - interval '1 minute'`)),
    )
    .orderBy(asc(googleEditsTable.sent_at))
  const oldest = lately.at(-maxEditsPerMinute)?.sent_at
  if (oldest) return { wait: Math.ceil(60 - (Date.now() - oldest.getTime()) / 1000) + 1 }
  const [edit] = await tx
    .update(googleEditsTable)
    .set({ state: 'sending', sent_at: sql`now()` })
    .where(eq(googleEditsTable.id, first.id))
    .returning()
  return { edit: edit! }
}

/** Sends it, over what Google has at this moment. Answers for how many seconds the queue must rest, or null. */
async function sendEdit(context: AppContext, edit: GoogleEdit): Promise<number | null> {
  const [before] = await context.db
    .select()
    .from(googleLocationsTable)
    .where(eq(googleLocationsTable.id, edit.location_id))
  if (!before) return null // unlinked meanwhile, and this edit with it
  const ask = createGoogleFetch(context, before.account_id)
  try {
    await patchLocation(ask, before.name, buildLocationPatch(edit.fields, await readLocation(ask, before.name)))
    const askedAt = new Date()
    const now = await readLocationDetails(context, ask, await readLocation(ask, before.name))
    const business = { name: before.business_account, accountName: before.business_account_name }
    await upsertLocations(context.db, { accountId: before.account_id, business }, [now], askedAt)
    await context.db.transaction((tx) => completeEdit(tx, edit, before))
    return null
  } catch (error) {
    if (error instanceof AccountUnlinkedError) return null
    const isOld = Date.now() - edit.created_at.getTime() > maxEditAgeHours * 3_600_000
    if (isTransientGoogleError(error) && !isOld) {
      await context.db
        .update(googleEditsTable)
        .set({ state: 'waiting', error: describeGoogleError(error) })
        .where(eq(googleEditsTable.id, edit.id))
      return retryDelaySeconds
    }
    if (describeGoogleError(error) === null && !(error instanceof HttpError))
      context.log.error({ err: error, edit: edit.id }, 'edit failed')
    await context.db.transaction((tx) => failEdit(tx, edit, error))
    return null
  }
}

/** With it, earlier ones that failed are no news any more. */
async function completeEdit(tx: Tx, edit: GoogleEdit, before: typeof googleLocationsTable.$inferSelect) {
  await tx
    .update(googleEditsTable)
    .set({ state: 'done', error: null, ended_at: sql`now()` })
    .where(
      and(
        eq(googleEditsTable.location_id, edit.location_id),
        sql`(${googleEditsTable.id} = ${edit.id} or ${googleEditsTable.state} = 'failed')`,
      ),
    )
  const [after] = await tx.select().from(googleLocationsTable).where(eq(googleLocationsTable.id, edit.location_id))
  if (!after) return
  await writeAudit(tx, toEditActor(edit), {
    kind: locationAuditKind,
    rowId: after.id,
    before: pickLocationFields(before),
    after: { ...pickLocationFields(before), ...edit.fields },
    version: after.version,
  })
}

/** Whoever has a form open believes in values that will not come: they get the older ones. */
async function failEdit(tx: Tx, { id, location_id, fields }: GoogleEdit, cause: unknown) {
  const errors =
    cause instanceof GoogleApiError
      ? toLocationFieldErrors(cause, fields)
      : cause instanceof HttpError
        ? cause.errors
        : undefined
  const error = describeGoogleError(cause) ?? (cause instanceof HttpError ? cause.message : 'Something went wrong')
  await tx
    .update(googleEditsTable)
    .set({ state: 'failed', error, errors: errors ?? null, ended_at: sql`now()` })
    .where(eq(googleEditsTable.id, id))
  const isGone = cause instanceof GoogleApiError && cause.status === 404
  await tx
    .update(googleLocationsTable)
    .set({
      version: sql`${googleLocationsTable.version} + 1`,
      ...(isGone ? { vanished_since: sql`coalesce(${googleLocationsTable.vanished_since}, now())` } : {}),
    })
    .where(eq(googleLocationsTable.id, location_id))
}

/** Who asked for it, for the trail. */
const toEditActor = ({ user_id, username, request_id, address }: GoogleEdit) => ({
  me: user_id === null ? null : { id: user_id, username: username ?? '' },
  requestId: request_id ?? undefined,
  address: address ?? undefined,
})
