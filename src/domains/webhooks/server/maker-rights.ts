import type { PermissionFlag } from '#contract/allow.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import { type CurrentUser, findCurrentUserById } from '#domains/access/public.ts'
import { canKeepWebhooks } from '../contract.ts'
import type { WebhookEventType } from '../labels.ts'

/** The problem of a webhook whose creator may no longer have it. */
export const endedProblem = 'The creator of this webhook may no longer receive leads'

/** Returns the creators whose webhooks have ended: they left, or may no longer read leads. */
export async function findEndedMakers(db: DbOrTx, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  const ended = new Set<number>()
  for (const id of new Set(userIds)) {
    const maker = await findCurrentUserById(db, id)
    if (!maker || !canKeepWebhooks(maker)) ended.add(id)
  }
  return ended
}

/** The pages that determine a message's content, by its subject. */
const pagesOfMessages: Record<string, readonly PermissionFlag[]> = {
  lead: ['show_lead_http_columns'],
  signal: ['dashboard'],
  statement: ['campaigns'],
}

/** Throws 403 for an API key that may read less of these events than its creator: messages contain what the creator may read. */
export async function assertKeyReadsEvents(db: DbOrTx, me: CurrentUser, events: readonly WebhookEventType[]) {
  const maker = me.key && (await findCurrentUserById(db, me.id))
  if (!maker) return
  for (const subject of new Set(events.map((type) => type.split('.')[0]!))) {
    const missing = pagesOfMessages[subject]?.find((page) => maker.permissions[page] && !me.permissions[page])
    if (missing)
      throw new HttpError(403, `Messages about a ${subject} contain more than this key may read: it lacks ${missing}`)
    if (subject === 'lead' && maker.isSuperAdmin)
      throw new HttpError(403, 'Messages of a super admin’s webhook contain more about leads than a key may read')
  }
}
