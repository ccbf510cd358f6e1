import { and, eq, inArray } from 'drizzle-orm'
import { type Actor, difference, record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflict, invalid, notFound } from '#core/http/errors.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { keyOf, ofKey } from '../campaign-or-team.ts'
import { type ItemChanges, type NewItem, noAssignee } from '../contract.ts'
import { activityItemFiles, activityItems } from '../schema.ts'
import { needAssignee, needImages, needPlaces } from './references.ts'
import { itemJson } from './serializer.ts'
import { visibleItems } from './visibility.ts'

/** Who, and through which request. */
type By = { me: Me; actor: Actor }
type Item = typeof activityItems.$inferSelect
/** What of an item can be changed; the trail keeps what it was. */
type Content = { note: string; is_task: boolean; assignee_id: number | null; is_done: boolean; files: number[] }

const kind = 'activity item'

/** One item for each campaign and team, all of them or none; answers their ids. */
export async function writeItems(tx: Tx, { me, actor }: By, form: NewItem, yesterday: string): Promise<number[]> {
  const { campaignId, date, note, files } = form
  // A cell of the changelog may be filled in later; what is planned in the dialog is not in the past.
  if (!campaignId && date < yesterday) throw invalid({ date: ['Please pick a date from yesterday on'] })
  const keys = [...new Set([...(form.campaign_ids ?? []), ...(campaignId ? [campaignId] : [])])]
  await needPlaces(tx, me, keys)
  const { is_task, assignee_id } = taskOf(form.is_task === 1, form.assignee_id)
  if (assignee_id !== null) await needAssignee(tx, assignee_id)
  await needImages(tx, me, files)

  const made = await tx
    .insert(activityItems)
    .values(keys.map((key) => ({ ...ofKey(key), date, note, is_task, assignee_id, user_id: me.id })))
    .returning()
  await hang(
    tx,
    made.map(({ id }) => id),
    files,
  )
  for (const { id, campaign_id, team_id } of made)
    await record(tx, actor, {
      kind,
      rowId: id,
      before: null,
      after: { campaign_id, team_id, date, note, is_task, assignee_id, files },
      version: 1,
    })
  return made.map(({ id }) => id)
}

/** What was sent over what is there. Without a change no trace is left. */
export async function changeItem(tx: Tx, { me, actor }: By, id: number, wanted: ItemChanges): Promise<void> {
  const item = await itemToChange(tx, me, id)
  refuseMoves(item, id, wanted)
  const before = await contentOf(tx, item)
  const isTask = wanted.is_task === undefined ? item.is_task : wanted.is_task === 1
  const task = taskOf(isTask, wanted.assignee_id === undefined ? item.assignee_id : wanted.assignee_id)
  const after: Content = {
    note: wanted.note,
    ...task,
    is_done: task.is_task && item.is_done,
    files: wanted.files ?? before.files,
  }
  if (Object.keys(difference(before, after).after).length === 0) return
  if (wanted.version !== undefined && wanted.version !== item.version)
    throw conflict('Somebody else has changed this item meanwhile', { item: JSON.parse(await itemJson(tx, id)) })
  // Who has left since may keep what was theirs.
  if (task.assignee_id !== null && task.assignee_id !== item.assignee_id) await needAssignee(tx, task.assignee_id)
  await needImages(
    tx,
    me,
    after.files.filter((file) => !before.files.includes(file)),
  )

  const { files, ...columns } = after
  const version = item.version + 1
  await tx
    .update(activityItems)
    .set({ ...columns, version })
    .where(eq(activityItems.id, id))
  await rehang(tx, id, before.files, files)
  await record(tx, actor, { kind, rowId: id, before, after, version })
}

/** It is gone for everybody; what it said stays in the trail. */
export async function removeItem(tx: Tx, { me, actor }: By, id: number): Promise<void> {
  const item = await itemToChange(tx, me, id)
  const { campaign_id, team_id, date } = item
  const content = await contentOf(tx, item)
  await tx.update(activityItems).set({ deleted_at: new Date() }).where(eq(activityItems.id, id))
  await record(tx, actor, { kind, rowId: id, before: { campaign_id, team_id, date, ...content }, after: null })
}

/** Done, or not any more; `wanted` says which, without it it flips. */
export async function setDone(tx: Tx, { me, actor }: By, id: number, wanted: boolean | undefined): Promise<void> {
  const item = await itemToChange(tx, me, id)
  if (!item.is_task) throw invalid({ is_done: ['Only a task can be done'] })
  const is_done = wanted ?? !item.is_done
  if (is_done === item.is_done) return
  const version = item.version + 1
  await tx.update(activityItems).set({ is_done, version }).where(eq(activityItems.id, id))
  await record(tx, actor, { kind, rowId: id, before: { is_done: item.is_done }, after: { is_done }, version })
}

async function itemToChange(tx: Tx, me: Me, id: number): Promise<Item> {
  const [item] = await tx
    .select()
    .from(activityItems)
    .where(and(eq(activityItems.id, id), visibleItems(me)))
    .for('update')
  if (!item) throw notFound()
  return item
}

/** Whose it is and its day are locked. */
function refuseMoves(item: Item, id: number, wanted: ItemChanges) {
  const own = keyOf(item)
  const named = [...(wanted.campaign_ids ?? []), ...(wanted.campaignId ? [wanted.campaignId] : [])]
  if (wanted.id !== undefined && wanted.id !== id) throw invalid({ id: ['This is not the item of the address'] })
  if (named.some((key) => key !== own)) throw invalid({ campaign_ids: ['The campaign cannot be changed'] })
  if (wanted.date !== undefined && wanted.date !== item.date) throw invalid({ date: ['The date cannot be changed'] })
}

/** A task has somebody who does it; what is none has nobody. */
function taskOf(is_task: boolean, assignee_id: number | null | undefined) {
  if (is_task && !assignee_id) throw invalid({ assignee_id: [noAssignee] })
  return { is_task, assignee_id: is_task && assignee_id ? assignee_id : null }
}

async function contentOf(tx: Tx, { id, note, is_task, assignee_id, is_done }: Item): Promise<Content> {
  const links = await tx
    .select({ id: activityItemFiles.file_id })
    .from(activityItemFiles)
    .where(eq(activityItemFiles.item_id, id))
    .orderBy(activityItemFiles.position, activityItemFiles.file_id)
  return { note, is_task, assignee_id, is_done, files: links.map((link) => link.id) }
}

async function hang(tx: Tx, items: number[], files: number[]) {
  const links = items.flatMap((item_id) => files.map((file_id, position) => ({ item_id, file_id, position })))
  if (links.length > 0) await tx.insert(activityItemFiles).values(links)
}

/** Images that leave the item are orphans from then on, unless they hang on another one. */
async function rehang(tx: Tx, item: number, before: number[], after: number[]) {
  if (before.join() === after.join()) return
  if (before.length > 0)
    await tx
      .delete(activityItemFiles)
      .where(and(eq(activityItemFiles.item_id, item), inArray(activityItemFiles.file_id, before)))
  await hang(tx, [item], after)
}
