import { and, eq, isNull, sql } from 'drizzle-orm'
import type { BodyOf } from '#contract/endpoint.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { HttpError, isStale, staleVersionError, validationError } from '#core/http/errors.ts'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { findNoLead } from '../../intake/server/no-lead.ts'
import { replayEventsOfSource } from '../../intake/server/replay.ts'
import { type CustomSourceForm, customSourcesContract } from '../contract.ts'
import { customSourcesTable, sourceKeyAad } from '../schema.ts'
import { describeProblems, isMapped, previewLead } from './map-lead.ts'
import { readCustomSource, readSamples, visibleEventsCondition } from './queries.ts'

type SourceMutationContext = { context: AppContext; me: CurrentUser; actor: AuditActor }

/** Adds a source and returns its id. */
export async function addCustomSource(
  tx: Tx,
  { context, me, actor }: SourceMutationContext,
  form: CustomSourceForm,
): Promise<number> {
  await requireClientSite(tx, me, form.clientsite_id)
  const key = randomToken()
  const [made] = await tx
    .insert(customSourcesTable)
    .values({ ...form, key_hash: hashSha256(key) })
    .returning({ id: customSourcesTable.id })
  const { id } = made!
  await tx
    .update(customSourcesTable)
    .set({ key: context.secrets.seal(key, sourceKeyAad(id)) }) // bound to the id
    .where(eq(customSourcesTable.id, id))
  await writeAudit(tx, actor, { kind: sourceAuditKind, rowId: id, before: null, after: form })
  return id
}

export async function updateCustomSource(
  tx: Tx,
  { context, me, actor }: SourceMutationContext,
  id: number,
  { version: seen, confirmed, ...form }: BodyOf<typeof customSourcesContract.update>,
): Promise<void> {
  const now = await lockCustomSource(tx, context, me, id)
  if (isStale(seen, now.version))
    throw staleVersionError(customSourcesContract.update, 'Someone else has changed this lead source', now)
  if (form.clientsite_id !== undefined) await requireClientSite(tx, me, form.clientsite_id)
  if (Object.keys(form).length === 0) return
  if (confirmed !== 1 && (form.mapping !== undefined || form.preset !== undefined))
    await assertReadable(tx, { context, me }, id, { preset: now.preset, mapping: now.mapping, ...form })
  const version = now.version + 1
  await tx
    .update(customSourcesTable)
    .set({ ...form, version })
    .where(eq(customSourcesTable.id, id))
  const { name, clientsite_id, preset, mapping } = now
  const before = { name, clientsite_id, preset, mapping }
  await writeAudit(tx, actor, { kind: sourceAuditKind, rowId: id, before, after: { ...before, ...form }, version })
}

/** Throws 422 with the problems of the preview if the newest event cannot be read; a provider's test and an outbound call are no leads anyway. */
async function assertReadable(
  tx: Tx,
  { context: { settings }, me }: Omit<SourceMutationContext, 'actor'>,
  id: number,
  { preset = null, mapping = {} }: Partial<Pick<CustomSourceForm, 'preset' | 'mapping'>>,
): Promise<void> {
  const [newest] = await readSamples(tx, me, id, 1)
  if (!newest || !isMapped({ preset, mapping })) return
  if (findNoLead(newest.body) !== null) return
  const { problems } = previewLead({ ...newest, preset, mapping, zone: settings.AGENCY_TIMEZONE })
  if (problems.length === 0) return
  const message = 'The newest event cannot be read with this mapping. Save it anyway?'
  throw new HttpError(422, message, { mapping: problems.map((problem) => describeProblems([problem])) }, { problems })
}

/** Closes the address of a source. The row stays, because events refer to it. */
export async function removeCustomSource(
  tx: Tx,
  { context, me, actor }: SourceMutationContext,
  id: number,
): Promise<void> {
  const { name, clientsite_id } = await lockCustomSource(tx, context, me, id)
  await tx.update(customSourcesTable).set({ deleted_at: sql`now()` }).where(eq(customSourcesTable.id, id))
  await writeAudit(tx, actor, { kind: sourceAuditKind, rowId: id, before: { name, clientsite_id }, after: null })
}

/** Makes the worker process events again, and returns how many. */
export async function replaySourceEvents(
  tx: Tx,
  { context, me, actor }: SourceMutationContext,
  id: number,
  ids: number[] | undefined,
): Promise<number> {
  await lockCustomSource(tx, context, me, id)
  const replayed = await replayEventsOfSource(tx, id, ids, visibleEventsCondition(me))
  await tx.execute(sql`select pg_notify(${liveChannels.event}, '')`)
  if (replayed > 0)
    await writeAudit(tx, actor, { kind: sourceAuditKind, rowId: id, before: { replayed: 0 }, after: { replayed } })
  return replayed
}

const sourceAuditKind = 'lead source'

/** Locks a source. Throws 404 if the caller may not see it. */
async function lockCustomSource(tx: Tx, context: AppContext, me: CurrentUser, id: number) {
  await tx
    .select({ id: customSourcesTable.id })
    .from(customSourcesTable)
    .where(eq(customSourcesTable.id, id))
    .for('update')
  return readCustomSource(context, tx, me, id)
}

async function requireClientSite(tx: Tx, me: CurrentUser, id: number): Promise<void> {
  const [site] = await tx
    .select({ id: clientSitesTable.id })
    .from(clientSitesTable)
    .where(
      and(
        eq(clientSitesTable.id, id),
        isNull(clientSitesTable.deleted_at),
        inVisibleCampaigns(me, clientSitesTable.campaign_id),
      ),
    )
    .for('share')
  if (!site) throw validationError({ clientsite_id: ['There is no such client site'] })
}
