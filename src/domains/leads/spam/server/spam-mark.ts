import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { LeadTag } from '#domains/leads/labels.ts'
import { cancelWaitingMails, requeueMails } from '#domains/leads/mail/server/cancel.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import type { SpamMark } from '#domains/leads/model/schema.ts'
import { spammersTable } from '../schema.ts'
import { removeSpammer } from './remove-spammer.ts'

type SpamMarking = { blockSender?: boolean; tags?: readonly LeadTag[] }

/**
 * Cancels the queued emails and, with `blockSender`, adds phone and email to the spammers. Returns the columns that mark the lead
 * as spam, or null if it is spam already and there was nothing to cancel or to add. `spam_mark` records what was done, so that
 * exactly that can be undone.
 */
export async function markAsSpam(
  tx: Tx,
  actor: AuditActor,
  lead: StoredLead,
  { blockSender = false, tags = ['Spam'] }: SpamMarking = {},
): Promise<Pick<StoredLead, 'tags' | 'hide' | 'spam_mark'> | null> {
  const mark: SpamMark = lead.spam_mark ?? { tagged: false, hid: false, mails: [], spammers: [] }
  const added = tags.filter((tag) => !lead.tags.includes(tag))
  const mails = await cancelWaitingMails(tx, actor, lead)
  const spammers = blockSender ? await addSpammer(tx, actor, lead) : []
  if (added.length === 0 && lead.hide && mails.length + spammers.length === 0) return null
  return {
    tags: [...lead.tags, ...added],
    hide: true,
    spam_mark: {
      tagged: mark.tagged || added.length > 0,
      tags: [...listMarkedTags(mark), ...added],
      hid: mark.hid || !lead.hide,
      mails: [...mark.mails, ...mails],
      spammers: [...mark.spammers, ...spammers],
    },
  }
}

/** Returns the tags that a mark set. */
export const listMarkedTags = ({ tagged, tags = tagged ? ['Spam'] : [] }: SpamMark): LeadTag[] => tags

/** Queues the emails that a mark cancelled, and removes the spammers that it added. */
export async function revertSpamMark(
  tx: Tx,
  context: AppContext,
  actor: AuditActor,
  lead: StoredLead,
  { mails, spammers }: Pick<SpamMark, 'mails' | 'spammers'>,
): Promise<void> {
  await requeueMails(tx, context, actor, lead, mails)
  for (const id of spammers) await removeSpammer(tx, actor, id)
}

/**
 * Marks a lead again whose last spam tag was taken off in this version of it: cancels the waiting emails, and blocks the sender if that had
 * removed the spammer. Returns the mark with the spammers as they are now.
 */
export async function restoreSpamMark(
  tx: Tx,
  actor: AuditActor,
  lead: StoredLead,
  { mark, version }: { mark: SpamMark; version: number | null },
): Promise<SpamMark> {
  await cancelWaitingMails(tx, actor, lead)
  const { kind, row_id, action, at } = auditTable
  const removedAt = sql`(select ${at} from ${auditTable} where ${kind} = 'lead' and ${row_id} = ${lead.id} and ${auditTable.version} = ${version})`
  const removed = await tx
    .select({ id: row_id })
    .from(auditTable)
    // All entries of a transaction have one time.
    .where(and(eq(kind, 'spammer'), inArray(row_id, mark.spammers), eq(action, 'removed'), eq(at, removedAt)))
    .limit(1)
  return { ...mark, spammers: removed.length > 0 ? await addSpammer(tx, actor, lead) : [] }
}

/** Adds a phone and email that are not known yet, as one spammer. Returns the ids of the added rows. */
async function addSpammer(tx: Tx, actor: AuditActor, lead: StoredLead): Promise<number[]> {
  const known = await tx
    .select({ phone_key: spammersTable.phone_key, email: sql<string | null>`lower(${spammersTable.email})` })
    .from(spammersTable)
    .where(
      or(
        inArray(spammersTable.phone_key, lead.phone_key === null ? [] : [lead.phone_key]),
        inArray(sql`lower(${spammersTable.email})`, lead.email_key === null ? [] : [lead.email_key]),
      ),
    )
  const isNewPhone = lead.phone_key !== null && !known.some(({ phone_key }) => phone_key === lead.phone_key)
  const isNewEmail = lead.email_key !== null && !known.some(({ email }) => email === lead.email_key)
  if (!isNewPhone && !isNewEmail) return []
  const added = {
    name: lead.lead_name ?? (lead.phone_key === null ? null : lead.lead_phone) ?? lead.lead_email ?? '',
    phone: isNewPhone ? lead.lead_phone : null,
    email: isNewEmail ? lead.lead_email : null,
  }
  const [spammer] = await tx
    .insert(spammersTable)
    .values({ ...added, phone_key: isNewPhone ? lead.phone_key : null, created_by: actor.me?.id ?? null })
    .returning({ id: spammersTable.id })
  await writeAudit(tx, actor, { kind: 'spammer', rowId: spammer!.id, before: null, after: added })
  return [spammer!.id]
}
