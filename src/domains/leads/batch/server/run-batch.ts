import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type AuditActor, type AuditAuthor, writeAudit } from '#core/audit/write-audit.ts'
import { runTransaction, type Tx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import { type CurrentUser, findCurrentUserById, findKeyHolderById } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { withdrawMails } from '#domains/leads/mail/server/cancel.ts'
import { enqueueMails } from '#domains/leads/mail/server/enqueue.ts'
import {
  describeMove,
  findClientMove,
  followMoves,
  readCampaignClients,
  readLeftWords,
} from '#domains/leads/model/client-moves.ts'
import { noWords } from '#domains/leads/model/client-words.ts'
import { type StoredLead, toLeadDto } from '#domains/leads/model/dto.ts'
import { assertValidReferences } from '#domains/leads/model/edit-lead.ts'
import type { SpamMark } from '#domains/leads/model/schema.ts'
import { type LockedLead, lockLeads, updateLeads } from '#domains/leads/model/store.ts'
import { canSeeLead } from '#domains/leads/model/visibility.ts'
import { followSpamTags } from '#domains/leads/spam/server/follow-spam-tags.ts'
import { markAsSpam, restoreSpamMark, revertSpamMark } from '#domains/leads/spam/server/spam-mark.ts'
import { createRuleUndo } from '#domains/leads/spam/server/undo-rule.ts'
import { type BatchAct, mayRunBatch } from '../contract.ts'
import { maxBatchStep } from '../labels.ts'
import { leadBatchesTable, leadBatchRowsTable } from '../schema.ts'
import { resolveAct, resolveUndo } from './actions.ts'
import { findPersonChanges } from './person-changes.ts'

/** A job's data: the batch, and the user and request that started it or its undo. */
export type BatchTask = {
  id: number
  undo: boolean
  by: number
  key?: AuditAuthor['key']
  requestId?: string
  address?: string
}
type BatchRow = typeof leadBatchesTable.$inferSelect
type LeadRow = typeof leadBatchRowsTable.$inferSelect
/** The user in whose name, and with whose permissions, leads are changed. */
type BatchCaller = { context: AppContext; me: CurrentUser; actor: AuditActor; zone: string }
type LeadOutcome = Pick<LeadRow, 'place'> & Partial<LeadRow>
type MaybePromise<Value> = Value | Promise<Value>

const maxFailures = 5
/** A lead that its caller never saw is skipped when the batch is created, with the same reason as one that does not exist. */
export const notFoundReason = 'Not found'
const lostReason = 'The person who started this can no longer see it'

/** Changes the batch's leads in several commits. Returns whether there is more to do. */
export async function runBatch(context: AppContext, task: BatchTask): Promise<'more' | 'over'> {
  const { db, jobs } = context
  const end = Date.now() + 60_000
  try {
    while (await runTransaction(db, (tx) => runBatchStep(tx, () => findTaskCaller(tx, context, task), task)))
      if (jobs.stopping.aborted || Date.now() > end) return 'more'
  } catch (error) {
    if (!(await noteFailure(context, task, error))) throw error
  }
  return 'over'
}

/** Reads the user, or the API key, that started a task, with their rights of this moment. Throws if neither works any more. */
async function findTaskCaller(tx: Tx, context: AppContext, task: BatchTask): Promise<BatchCaller> {
  const { key, by, requestId, address } = task
  const me = await (key ? findKeyHolderById(tx, key.id) : findCurrentUserById(tx, by))
  if (!me) throw new HttpError(403, `The ${key ? 'API key' : 'user'} that started this can no longer sign in`)
  return { context, me, actor: { me, requestId, address }, zone: context.settings.AGENCY_TIMEZONE }
}

/** Counts a failure. Returns whether to give up at once: a refusal will not change, anything else is retried. */
async function noteFailure({ db }: AppContext, { id, undo }: BatchTask, error: unknown): Promise<boolean> {
  const refusal = error instanceof HttpError ? error : null
  return runTransaction(db, async (tx) => {
    const [batch] = await tx
      .update(leadBatchesTable)
      .set({ failures: sql`${leadBatchesTable.failures} + 1` })
      .where(and(eq(leadBatchesTable.id, id), inArray(leadBatchesTable.state, ['queued', 'running'])))
      .returning({ failures: leadBatchesTable.failures, undoing: leadBatchesTable.undoing })
    if (!batch || batch.undoing !== undo) return true
    if (!refusal && batch.failures < maxFailures) return false
    await giveUpBatch(tx, { id, undo }, refusal ? describeRefusal(refusal) : 'Failed several times')
    return refusal !== null
  })
}

/** Ends a batch, or its undo, that goes no further. The leads that are left are skipped, with the reason. */
export async function giveUpBatch(
  tx: Tx,
  { id, undo }: Pick<BatchTask, 'id' | 'undo'>,
  problem: string,
): Promise<void> {
  await tx.update(leadBatchesTable).set({ state: 'failed', problem }).where(eq(leadBatchesTable.id, id))
  await tx
    .update(leadBatchRowsTable)
    .set(undo ? { kept_reason: problem } : { reason: problem })
    .where(and(eq(leadBatchRowsTable.batch_id, id), undo ? isToUndo : isToChange))
}

/** A refused value has its own sentence; the message only says that there is one. */
const describeRefusal = ({ errors = {}, message }: HttpError) => Object.values(errors).flat().join('; ') || message

/**
 * Changes or restores the next leads of a batch, with the rights that its caller has by then. Returns false when none are left or the
 * task is over.
 */
export async function runBatchStep(
  tx: Tx,
  findCaller: () => MaybePromise<BatchCaller>,
  task: Pick<BatchTask, 'id' | 'undo'>,
): Promise<boolean> {
  const [batch] = await tx.select().from(leadBatchesTable).where(eq(leadBatchesTable.id, task.id)).for('update')
  if (!batch || batch.undoing !== task.undo || !['queued', 'running'].includes(batch.state)) return false
  const by = await findCaller()
  const act = { action: batch.action, value: batch.value } as BatchAct // stored from a BatchAct
  if (!mayRunBatch(by.me, act)) throw new HttpError(403, 'The person who started this may no longer do it')
  const rows = await tx
    .select()
    .from(leadBatchRowsTable)
    .where(and(eq(leadBatchRowsTable.batch_id, batch.id), task.undo ? isToUndo : isToChange))
    .orderBy(leadBatchRowsTable.place)
    .limit(maxBatchStep)
  if (rows.length > 0)
    await storeOutcomes(tx, batch, task.undo ? await undoLeads(tx, by, rows) : await changeLeads(tx, by, act, rows))
  const isOver = rows.length < maxBatchStep
  await tx
    .update(leadBatchesTable)
    .set({ failures: 0, problem: null, ...(isOver ? toFinalState(task.undo) : { state: 'running' }) })
    .where(eq(leadBatchesTable.id, batch.id))
  return !isOver
}

const { version, reason, undone_version, kept_reason } = leadBatchRowsTable
const isToChange = and(isNull(version), isNull(reason))
const isToUndo = and(isNotNull(version), isNull(undone_version), isNull(kept_reason))

const toFinalState = (undo: boolean) =>
  undo ? ({ state: 'undone', undone_at: new Date() } as const) : ({ state: 'done', done_at: new Date() } as const)

async function changeLeads(tx: Tx, by: BatchCaller, act: BatchAct, rows: LeadRow[]): Promise<LeadOutcome[]> {
  if (act.action === 'move')
    await assertValidReferences(tx, by.me, { campaign_id: noCampaignId, clientsite_id: null }, act.value)
  const reach = act.action === 'move' ? { campaign_id: act.value.campaign_id } : {}
  const leads = await lockLeads(
    tx,
    rows.map(({ lead_id }) => [lead_id, reach]),
  )
  const clients = await readClients(tx, leads, act.action === 'move' ? [act.value.campaign_id] : null)
  const resolve = await createResolver(tx, by, act, leads, clients)
  const outcomes: LeadOutcome[] = []
  const edits: LeadEdit[] = []
  for (const { place, lead_id } of rows) {
    const lead = leads.get(lead_id)
    if (!lead || !canSeeLead(by.me, lead.row)) {
      outcomes.push({ place, reason: lead ? lostReason : notFoundReason })
      continue
    }
    const change = await resolve(lead.row)
    if ('reason' in change) outcomes.push({ place, reason: change.reason })
    else {
      edits.push(toLeadEdit(by, clients, lead, change.set))
      outcomes.push({ place, lead_id, ...describeChange(lead, change.set) })
    }
  }
  await writeEdits(tx, by, edits, false)
  return act.action === 'undo_rule' && act.value.mail ? mailUnhiddenLeads(tx, by, outcomes) : outcomes
}

type LeadResolver = (lead: StoredLead) => MaybePromise<{ set: Partial<StoredLead> } | { reason: string }>

/** Returns a function that resolves what the action sets on each of these leads, or why there is nothing to do. */
async function createResolver(
  tx: Tx,
  by: BatchCaller,
  act: BatchAct,
  leads: LockedLeads,
  clients: CampaignClients,
): Promise<LeadResolver> {
  switch (act.action) {
    case 'spam':
      return (lead) => resolveSpam(tx, by, lead, act.value.spammer)
    case 'undo_rule':
      return createRuleUndo(
        tx,
        act.value,
        [...leads.values()].map(({ row }) => row),
      )
    default:
      return async (lead) => {
        const change = resolveAct(lead, act, clients)
        return 'set' in change ? { set: await followSpamTags(tx, by, lead, change.set) } : change
      }
  }
}

/** Queues the notifications that these leads would have caused had they not come in hidden. Keeps their ids for an undo. */
async function mailUnhiddenLeads(tx: Tx, { context, actor }: BatchCaller, outcomes: LeadOutcome[]) {
  const leadIds = outcomes.flatMap(({ lead_id, after }) =>
    lead_id !== undefined && after?.hide === false ? lead_id : [],
  )
  const enqueued = await enqueueMails(tx, context, { leadIds, kind: 'notification', requestedBy: null })
  for (const outcome of outcomes) {
    const found = outcome.lead_id === undefined ? undefined : enqueued.get(outcome.lead_id)
    if (!found || !('mail' in found)) continue
    const { id, lead_id, kind, recipients } = found.mail
    await writeAudit(tx, actor, { kind: 'mail', rowId: id, before: null, after: { lead_id, kind, recipients } })
    outcome.after = { ...outcome.after, mails: [id] }
  }
  return outcomes
}

async function undoLeads(tx: Tx, by: BatchCaller, rows: LeadRow[]): Promise<LeadOutcome[]> {
  const leads = await lockLeads(
    tx,
    rows.map(({ lead_id, before }) => {
      const campaign_id = before?.campaign_id
      return [lead_id, typeof campaign_id === 'number' ? { campaign_id } : {}]
    }),
  )
  const changes = await findPersonChanges(
    tx,
    rows.map(({ lead_id }) => lead_id),
    { after: Math.min(...rows.map(({ version }) => version ?? 0)) },
  )
  const returned = rows.flatMap(({ before }) => (typeof before?.campaign_id === 'number' ? before.campaign_id : []))
  const clients = await readClients(tx, leads, returned.length > 0 ? returned : null)
  const outcomes: LeadOutcome[] = []
  const edits: LeadEdit[] = []
  for (const { place, lead_id, before, after, version } of rows) {
    const lead = leads.get(lead_id)
    const set = lead && resolveUndo(lead.row, before ?? {}, after ?? {})
    if (!set || !canSeeLead(by.me, lead.row) || !canSeeLead(by.me, { ...lead.row, ...set, hide: false }))
      outcomes.push({ place, kept_reason: lead ? lostReason : notFoundReason })
    else if (changes.some((change) => change.lead_id === lead_id && change.version > (version ?? 0)))
      outcomes.push({ place, kept_reason: 'A person has changed this lead since' })
    else if (Object.keys(set).length === 0) outcomes.push({ place, kept_reason: 'Changed since' })
    else {
      // The campaign may have been given to another client since: what a client said goes back to that client only.
      const move = findClientMove(clients, lead.row, { ...lead.row, ...set })
      if (move) Object.assign(set, noWords, await readLeftWords(tx, lead.row, move.to))
      await withdrawMails(tx, by.actor, lead.row, (after?.mails ?? []) as number[]) // stored by mailUnhiddenLeads
      await revertSpamMark(tx, by.context, by.actor, lead.row, diffSpamMarks(before, after))
      // A tag is put on again.
      if (set.spam_mark && !lead.row.spam_mark)
        set.spam_mark = await restoreSpamMark(tx, by.actor, lead.row, { mark: set.spam_mark, version })
      edits.push(toLeadEdit(by, clients, lead, set))
      outcomes.push({ place, undone_version: describeChange(lead, set).version })
    }
  }
  await writeEdits(tx, by, edits, true)
  return outcomes
}

/** Does the same as for a single lead: tags and hides it, cancels waiting emails and, on request, blocks the sender. */
async function resolveSpam(
  tx: Tx,
  { actor }: BatchCaller,
  lead: StoredLead,
  blockSender: boolean,
): Promise<{ set: Partial<StoredLead> } | { reason: string }> {
  const set = await markAsSpam(tx, actor, lead, { blockSender })
  // An undo compares tags together with their causes.
  return set ? { set: { ...set, tag_causes: lead.tag_causes } } : { reason: 'Already spam' }
}

/** Returns what the batch itself added to the spam mark of a lead. */
function diffSpamMarks(before: LeadRow['before'], after: LeadRow['after']): Pick<SpamMark, 'mails' | 'spammers'> {
  const [had, got] = [before, after].map((values) => (values?.spam_mark ?? null) as SpamMark | null) // stored by describeChange
  const added = (name: 'mails' | 'spammers') => got?.[name].filter((id) => !had?.[name].includes(id)) ?? []
  return { mails: added('mails'), spammers: added('spammers') }
}

type LockedLeads = ReadonlyMap<number, LockedLead>
type CampaignClients = Awaited<ReturnType<typeof readCampaignClients>>

/** Reads the clients of these leads and of the campaigns that leads go to; none where no lead moves. */
const readClients = async (tx: Tx, leads: LockedLeads, campaignIds: number[] | null): Promise<CampaignClients> =>
  campaignIds === null
    ? new Map()
    : readCampaignClients(tx, [...campaignIds, ...[...leads.values()].map(({ row }) => row.campaign_id)])

type LeadEdit = Parameters<typeof updateLeads>[2][number] & { move: ReturnType<typeof findClientMove> }

function toLeadEdit(
  { zone }: BatchCaller,
  clients: CampaignClients,
  lead: LockedLead,
  set: Partial<StoredLead>,
): LeadEdit {
  const { row } = lead
  const changed = { ...row, ...set }
  const move = findClientMove(clients, row, changed)
  const entry = move && describeMove(move, row, changed)
  const before = { ...toLeadDto(row, zone), ...entry?.before }
  return { lead, set, move, before, after: { ...toLeadDto(changed, zone), ...entry?.after } }
}

async function writeEdits(tx: Tx, by: BatchCaller, edits: LeadEdit[], putBack: boolean) {
  await updateLeads(tx, by, edits)
  const moved = edits.map(({ lead: { row }, set, move }) => ({ before: row, after: { ...row, ...set }, move, putBack }))
  await followMoves(tx, by.actor, moved)
}

/** Returns the stored record of a change: the columns before and after, and the lead's next version. */
function describeChange({ row }: LockedLead, set: Partial<StoredLead>) {
  const changed = { ...row, ...set }
  const columns = Object.keys(set) as (keyof StoredLead)[] // columns of a lead
  const pick = (from: StoredLead) => Object.fromEntries(columns.map((column) => [column, from[column]]))
  return { before: pick(row), after: pick(changed), version: row.version + 1 }
}

/** Writes the outcome of each lead, in one statement. */
async function storeOutcomes(tx: Tx, { id }: BatchRow, outcomes: LeadOutcome[]): Promise<void> {
  await tx.execute(sql`
    update ${leadBatchRowsTable} set before = coalesce(given.before, lead_batch_rows.before),
      after = coalesce(given.after, lead_batch_rows.after), version = coalesce(given.version, lead_batch_rows.version),
      reason = given.reason, undone_version = given.undone_version, kept_reason = given.kept_reason
    from json_to_recordset(${JSON.stringify(outcomes)})
      given (place int, before jsonb, after jsonb, version int, reason text, undone_version int, kept_reason text)
    where lead_batch_rows.batch_id = ${id} and lead_batch_rows.place = given.place`)
}
