import { and, eq, inArray, isNull } from 'drizzle-orm'
import { cutText } from '#contract/cut-text.ts'
import { type AuditActor, diffFields, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { isStale, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { formatOwnerKey, parseOwnerKey } from '../campaign-or-team.ts'
import {
  type ActivityItemChanges,
  activityItemsContract,
  assigneeRequiredMessage,
  type NewActivityItem,
} from '../contract.ts'
import { maxNoteLength } from '../fields.ts'
import { activityItemFilesTable, activityItemsTable } from '../schema.ts'
import { requireAssignee, requireImages, requireOwners } from './references.ts'
import { readActivityItemJson } from './serializer.ts'
import { buildVisibleItemsFilter } from './visibility.ts'

/** Who makes the change, and in which request. */
type ActivityMutationContext = { me: CurrentUser; actor: AuditActor }
type ActivityItemRow = typeof activityItemsTable.$inferSelect
/** The fields of an item that can change; the audit log keeps the old values. */
type ItemContent = Pick<ActivityItemRow, 'note' | 'is_task' | 'assignee_id' | 'is_done' | 'client_may_read'> & {
  files: number[]
}

export const activityItemAuditKind = 'activity item'

/** Creates one item for each campaign and team, all or none; returns their ids. */
export async function addActivityItems(
  tx: Tx,
  { me, actor, authorId = me.id }: ActivityMutationContext & { authorId?: number },
  form: NewActivityItem,
  yesterday: string,
): Promise<number[]> {
  const { campaignId, date, note, files } = form
  // A changelog cell may be filled in later, but the dialog plans ahead, so its dates are not in the past.
  if (!campaignId && date < yesterday) throw validationError({ date: ['Please pick a date from yesterday on'] })
  const keys = [...new Set([...(form.campaign_ids ?? []), ...(campaignId ? [campaignId] : [])])]
  await requireOwners(tx, me, keys)
  const { is_task, assignee_id } = toTaskFields(form.is_task === 1, form.assignee_id)
  const client_may_read = form.client_may_read === 1
  if (assignee_id !== null) await requireAssignee(tx, assignee_id)
  await requireImages(tx, me, files)

  const made = await tx
    .insert(activityItemsTable)
    .values(
      keys.map((key) => ({
        ...parseOwnerKey(key),
        date,
        note,
        is_task,
        assignee_id,
        client_may_read,
        user_id: authorId,
      })),
    )
    .returning()
  await attachFiles(
    tx,
    made.map(({ id }) => id),
    files,
  )
  for (const { id, campaign_id, team_id } of made)
    await writeAudit(tx, actor, {
      kind: activityItemAuditKind,
      rowId: id,
      before: null,
      after: { campaign_id, team_id, date, note, is_task, assignee_id, client_may_read, files },
      version: 1,
    })
  return made.map(({ id }) => id)
}

/** Merges the submitted fields into the item. Without a change nothing is written. */
export async function updateActivityItem(
  tx: Tx,
  { me, actor }: ActivityMutationContext,
  id: number,
  wanted: ActivityItemChanges,
): Promise<void> {
  const item = await lockActivityItem(tx, me, id)
  rejectMoves(item, id, wanted)
  const before = await readItemContent(tx, item)
  const isTask = wanted.is_task === undefined ? item.is_task : wanted.is_task === 1
  // The assignee of a moved task may not be here: the task stays, as long as none is chosen.
  const isKept = item.is_task && isTask && wanted.assignee_id === undefined
  const task = isKept ? { is_task: true, assignee_id: item.assignee_id } : toTaskFields(isTask, wanted.assignee_id)
  const after: ItemContent = {
    note: wanted.note,
    ...task,
    is_done: task.is_task && item.is_done,
    client_may_read: wanted.client_may_read === undefined ? item.client_may_read : wanted.client_may_read === 1,
    files: wanted.files ?? before.files,
  }
  if (Object.keys(diffFields(before, after).after).length === 0) return
  if (isStale(wanted.version, item.version))
    throw staleVersionError(
      activityItemsContract.update,
      'Someone else has changed this item',
      JSON.parse(await readActivityItemJson(tx, id)),
    )
  // An assignee who has since left may keep the task.
  if (task.assignee_id !== null && task.assignee_id !== item.assignee_id) await requireAssignee(tx, task.assignee_id)
  await requireImages(
    tx,
    me,
    after.files.filter((file) => !before.files.includes(file)),
  )

  const { files, ...columns } = after
  const version = item.version + 1
  await tx
    .update(activityItemsTable)
    .set({ ...columns, version })
    .where(eq(activityItemsTable.id, id))
  await replaceFiles(tx, id, before.files, files)
  await writeAudit(tx, actor, { kind: activityItemAuditKind, rowId: id, before, after, version })
}

/** Removes an item for everyone; the audit log keeps its content. */
export async function removeActivityItem(tx: Tx, { me, actor }: ActivityMutationContext, id: number): Promise<void> {
  const item = await lockActivityItem(tx, me, id)
  const { campaign_id, team_id, date } = item
  const content = await readItemContent(tx, item)
  await tx.update(activityItemsTable).set({ deleted_at: new Date() }).where(eq(activityItemsTable.id, id))
  await writeAudit(tx, actor, {
    kind: activityItemAuditKind,
    rowId: id,
    before: { campaign_id, team_id, date, ...content },
    after: null,
  })
}

/** Marks a task done or open as `wanted` says, or toggles it. */
export async function setTaskDone(
  tx: Tx,
  { me, actor }: ActivityMutationContext,
  id: number,
  wanted: boolean | undefined,
): Promise<void> {
  const item = await lockActivityItem(tx, me, id)
  if (!item.is_task) throw validationError({ is_done: ['Only a task can be done'] })
  const is_done = wanted ?? !item.is_done
  if (is_done === item.is_done) return
  const version = item.version + 1
  await tx.update(activityItemsTable).set({ is_done, version }).where(eq(activityItemsTable.id, id))
  await writeAudit(tx, actor, {
    kind: activityItemAuditKind,
    rowId: id,
    before: { is_done: item.is_done },
    after: { is_done },
    version,
  })
}

async function lockActivityItem(tx: Tx, me: CurrentUser, id: number): Promise<ActivityItemRow> {
  const [item] = await tx
    .select()
    .from(activityItemsTable)
    .where(and(eq(activityItemsTable.id, id), buildVisibleItemsFilter(me)))
    .for('update')
  if (!item) throw notFoundError()
  return item
}

/** Throws if the update would change the item's owner or day. */
function rejectMoves(item: ActivityItemRow, id: number, wanted: ActivityItemChanges) {
  const own = formatOwnerKey(item)
  const named = [...(wanted.campaign_ids ?? []), ...(wanted.campaignId ? [wanted.campaignId] : [])]
  if (wanted.id !== undefined && wanted.id !== id) throw validationError({ id: ['This is not the item in the URL'] })
  if (named.some((key) => key !== own)) throw validationError({ campaign_ids: ['The campaign cannot be changed'] })
  if (wanted.date !== undefined && wanted.date !== item.date)
    throw validationError({ date: ['The date cannot be changed'] })
}

/** A task needs an assignee; other items have none. */
function toTaskFields(is_task: boolean, assignee_id: number | null | undefined) {
  if (is_task && !assignee_id) throw validationError({ assignee_id: [assigneeRequiredMessage] })
  return { is_task, assignee_id: is_task && assignee_id ? assignee_id : null }
}

async function readItemContent(
  tx: Tx,
  { id, note, is_task, assignee_id, is_done, client_may_read }: ActivityItemRow,
): Promise<ItemContent> {
  const links = await tx
    .select({ id: activityItemFilesTable.file_id })
    .from(activityItemFilesTable)
    .where(eq(activityItemFilesTable.item_id, id))
    .orderBy(activityItemFilesTable.position, activityItemFilesTable.file_id)
  return { note, is_task, assignee_id, is_done, client_may_read, files: links.map((link) => link.id) }
}

async function attachFiles(tx: Tx, items: number[], files: number[]) {
  const links = items.flatMap((item_id) => files.map((file_id, position) => ({ item_id, file_id, position })))
  if (links.length > 0) await tx.insert(activityItemFilesTable).values(links)
}

/** Images removed from the item become orphans, unless another item has them. */
async function replaceFiles(tx: Tx, item: number, before: number[], after: number[]) {
  if (before.join() === after.join()) return
  if (before.length > 0)
    await tx
      .delete(activityItemFilesTable)
      .where(and(eq(activityItemFilesTable.item_id, item), inArray(activityItemFilesTable.file_id, before)))
  await attachFiles(tx, [item], after)
}

/** Completes a task whose cause is gone and adds this to its note, whose end is cut if needed. A done or removed task stays unchanged. */
export async function completeTask(tx: Tx, id: number, ending: string): Promise<void> {
  const [item] = await tx
    .select()
    .from(activityItemsTable)
    .where(and(eq(activityItemsTable.id, id), isNull(activityItemsTable.deleted_at)))
    .for('update')
  if (!item?.is_task || item.is_done) return
  const added = `\n\n${ending}`
  const note = cutText(item.note, maxNoteLength - added.length) + added
  const version = item.version + 1
  await tx.update(activityItemsTable).set({ is_done: true, note, version }).where(eq(activityItemsTable.id, id))
  await writeAudit(
    tx,
    { me: null },
    {
      kind: activityItemAuditKind,
      rowId: id,
      before: { is_done: false, note: item.note },
      after: { is_done: true, note },
      version,
    },
  )
}
