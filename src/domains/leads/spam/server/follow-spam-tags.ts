import type { AuditActor } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { isSpamTag } from '#domains/leads/labels.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { markAsSpam, revertSpamMark } from './spam-mark.ts'

/**
 * Returns what a change of tags sets: a spam tag that a person adds marks the lead as spam, as the Spam button does, and taking the last one
 * off undoes that.
 */
export async function followSpamTags(
  tx: Tx,
  { context, actor }: { context: AppContext; actor: AuditActor },
  lead: StoredLead,
  set: Partial<StoredLead>,
): Promise<Partial<StoredLead>> {
  if (!set.tags) return set
  const had = lead.tags.filter(isSpamTag)
  const has = set.tags.filter(isSpamTag)
  const added = has.filter((tag) => !had.includes(tag))
  if (added.length > 0) {
    const marked = await markAsSpam(tx, actor, lead, { tags: added })
    return { ...set, hide: true, spam_mark: marked?.spam_mark ?? lead.spam_mark }
  }
  if (has.length > 0 || had.length === 0 || !lead.spam_mark) return set
  await revertSpamMark(tx, context, actor, lead, lead.spam_mark)
  return { ...set, spam_mark: null, ...(lead.spam_mark.hid && { hide: false }) }
}
