import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { msPerHour } from '#contract/days.ts'
import { readActorColumns } from '#core/audit/actor-columns.ts'
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
import { incrementLocationVersion, markLocationVanished } from './store-locations.ts'
import { refreshLocation } from './sync.ts'

const locationAuditKind = 'Google location'
/** Google's limit for one location. */
const maxEditsPerMinute = 10
/** Seconds after which an edit being sent counts as lost with its process; sending it again is harmless. */
const sendTimeoutSeconds = 60
/** Seconds before an edit is retried after a transient error. */
const retryDelaySeconds = 30
const maxEditAgeHours = 24

/** Sends a location's waiting edits that were not sent at once, or whose process died. */
export const googleEditJob = defineJob<{ id: number }>({
  name: 'google-edit',
  run: (context, { id }) => sendWaitingEdits(context, id),
})

/** Adds an edit to the end of its location's queue. */
export async function enqueueEdit(
  tx: Tx,
  { jobs }: AppContext,
  edit: typeof googleEditsTable.$inferInsert,
): Promise<number> {
  const [made] = await tx.insert(googleEditsTable).values(edit).returning({ id: googleEditsTable.id })
  await jobs.send(tx, googleEditJob, { id: edit.location_id }, { after: sendTimeoutSeconds })
  return made!.id
}

/** Sends a location's waiting edits one at a time, up to the limit per minute; a job sends the rest. */
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

/** Returns the next edit, marked as being sent, or how many seconds to wait. Each location sends one at a time. */
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

/** Sends an edit, merged into what Google has now. Returns how many seconds the queue must pause, or null. */
async function sendEdit(context: AppContext, edit: GoogleEdit): Promise<number | null> {
  const [before] = await context.db
    .select()
    .from(googleLocationsTable)
    .where(eq(googleLocationsTable.id, edit.location_id))
  if (!before) return null // the account was unlinked, which deleted this edit
  const ask = createGoogleFetch(context, before.account_id)
  try {
    await patchLocation(ask, before.name, buildLocationPatch(edit.fields, await readLocation(ask, before.name)))
    await refreshLocation(context, ask, before)
    await context.db.transaction((tx) => completeEdit(tx, edit, before))
    return null
  } catch (error) {
    if (error instanceof AccountUnlinkedError) return null
    const isOld = Date.now() - edit.created_at.getTime() > maxEditAgeHours * msPerHour
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

/** Also closes earlier edits that failed: their errors are outdated. */
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
  await writeAudit(tx, readActorColumns(edit), {
    kind: locationAuditKind,
    rowId: after.id,
    before: pickLocationFields(before),
    after: { ...pickLocationFields(before), ...edit.fields },
    version: after.version,
  })
}

/** Increments the version, because open forms expect values that will not come. */
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
  await incrementLocationVersion(tx, location_id)
  if (cause instanceof GoogleApiError && cause.status === 404) await markLocationVanished(tx, location_id)
}
