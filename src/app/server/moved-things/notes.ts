import { eq, sql } from 'drizzle-orm'
import { countOf } from '#contract/count-of.ts'
import { cutText } from '#contract/cut-text.ts'
import type { Tx } from '#core/db/db.ts'
import { HttpError, validationError } from '#core/http/errors.ts'
import { usersTable } from '#domains/access/schema.ts'
import { isNamed } from '#domains/access/server/account-names.ts'
import { formatOwnerKey } from '#domains/activity/campaign-or-team.ts'
import { noteField } from '#domains/activity/fields.ts'
import { maxImageBytes } from '#domains/activity/files/contract.ts'
import { filesTable } from '#domains/activity/files/schema.ts'
import { reencodeImage } from '#domains/activity/files/server/image.ts'
import { activityItemFilesTable, activityItemsTable } from '#domains/activity/schema.ts'
import { activityItemAuditKind, addActivityItems, removeActivityItem } from '#domains/activity/server/mutations.ts'
import {
  type KindWriter,
  type MoveCaller,
  type MoveLookup,
  readDay,
  readFlag,
  readMoment,
  readRecord,
  readRecords,
  readReference,
  readText,
} from '#domains/moves/public.ts'
import { createKeeper, findPersonChange, joinKept } from './fit-form.ts'

type Row = Record<string, unknown>

/** Finds a person of the old system here: one who has moved, or one of the same name. */
async function findPerson(
  tx: Tx,
  person: { id: string | null; name: string | null },
  lookup: MoveLookup,
): Promise<number | null> {
  const moved = lookup.find('admin', person.id) ?? lookup.find('leads_handler', person.id)
  if (moved !== null || person.name === null) return moved
  const [found] = await tx
    .select({ id: usersTable.id, role: usersTable.role })
    .from(usersTable)
    .where(isNamed(person.name))
  return found && found.role !== 'customer' ? found.id : null
}

/** An activity log item. It keeps its author, also one who is not here, and its day. */
export const movedNote: KindWriter = {
  listFiles: ({ payload }) => readRecords(payload, 'files').flatMap((file) => readText(file, 'url') ?? []),

  write: async (tx, by, { payload }, lookup) => {
    const user = readRecord(payload, 'user')
    const author = { id: readText(user, 'id'), name: readText(user, 'username') ?? readText(payload, 'user') }
    const authorId = await findPerson(tx, author, lookup)
    const campaign_id = lookup.findCampaign(payload)
    const team_id = lookup.find('team', readReference(payload, 'team'))
    if (campaign_id === null && team_id === null)
      throw validationError({ campaign_ids: ['The campaign or team was not moved'] })
    const { kept, keep } = createKeeper(payload)
    const date = keep('date', readDay(payload, 'date'), 'is the day of its creation') ?? readDay(payload, 'created_at')
    if (date === null) throw validationError({ date: ['No date'] })
    const note = noteField.safeParse(readText(payload, 'note'))
    const task = await readTask(tx, payload, lookup)
    const images = await storeImages(tx, by, lookup, movedNote.listFiles!({ old_id: '', label: '', payload }))
    const [id] = await addActivityItems(
      tx,
      { ...by, authorId: authorId ?? by.me.id },
      {
        campaignId: formatOwnerKey({ campaign_id: team_id === null ? campaign_id : null, team_id }),
        date,
        note: note.success ? note.data : '',
        is_task: task.assignee_id === null ? 0 : 1, // one of a person who is not here becomes a task below
        assignee_id: task.assignee_id,
        client_may_read: readFlag(payload, 'client_may_read') ? 1 : 0,
        files: images.ids,
      },
      date,
    )
    await tx
      .update(activityItemsTable)
      .set({
        is_task: task.is_task,
        is_done: task.is_task && readFlag(payload, 'is_done'),
        assignee_name: task.assignee_name,
        created_at: readMoment(payload, 'created_at') ?? sql`now()`,
        author_name: authorId === null ? cutText(author.name ?? 'Unknown', 100) : null,
      })
      .where(eq(activityItemsTable.id, id!))
    const lost = note.success ? null : `note was left empty: ${note.error.issues[0]!.message}`
    return { id: id!, kept: joinKept(...kept, lost, images.kept) }
  },

  remove: async (tx, by, id) => {
    const [item] = await tx.select().from(activityItemsTable).where(eq(activityItemsTable.id, id)).for('update')
    if (!item || item.deleted_at) return null
    const changed = await findPersonChange(tx, activityItemAuditKind, id)
    if (changed) return changed
    await removeActivityItem(tx, by, id)
    // Not only hidden: its campaign or team is about to go. The images are orphans now, which a job removes.
    await tx.delete(activityItemFilesTable).where(eq(activityItemFilesTable.item_id, id))
    await tx.delete(activityItemsTable).where(eq(activityItemsTable.id, id))
    return null
  },
}

/** Whose task it is: an admin here, or the name of one who is not. */
async function readTask(tx: Tx, payload: Row, lookup: MoveLookup) {
  if (!readFlag(payload, 'is_task')) return { is_task: false, assignee_id: null, assignee_name: null }
  const name = readText(readRecord(payload, 'assignee'), 'username') ?? readText(payload, 'assignee')
  const id = await findPerson(tx, { id: readReference(payload, 'assignee'), name }, lookup)
  const [found] = id === null ? [] : await tx.select().from(usersTable).where(eq(usersTable.id, id))
  const mayDo =
    found && (found.role === 'admin' || found.role === 'super_admin') && found.is_active && !found.deleted_at
  const unknown = cutText(name ?? 'Unknown', 100)
  return { is_task: true, assignee_id: mayDo ? found.id : null, assignee_name: mayDo ? null : unknown }
}

const mostImages = 20

async function storeImages(tx: Tx, { me, context }: MoveCaller, { files }: MoveLookup, urls: readonly string[]) {
  const ids: number[] = []
  const lost =
    urls.length > mostImages ? [`${countOf(urls.length - mostImages, 'image')} left out: at most ${mostImages}`] : []
  for (const url of urls.slice(0, mostImages)) {
    const bytes = files.get(url)
    if (!bytes) continue // said where it was fetched
    try {
      if (bytes.length > maxImageBytes) throw new HttpError(413, 'An image is larger than 10 MB')
      const { data, mime, width, height } = await reencodeImage(bytes)
      const key = crypto.randomUUID()
      const [made] = await tx
        .insert(filesTable)
        .values({ user_id: me.id, key, mime, size: data.length, width, height })
        .returning({ id: filesTable.id })
      await context.store.put(key, data)
      ids.push(made!.id)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      lost.push(`An image was left out: ${error.message}`)
    }
  }
  return { ids, kept: lost.join('. ') || undefined }
}
