import type { PermissionFlag } from '#contract/allow.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import { type CurrentUser, findCurrentUserById } from '#domains/access/public.ts'
import { canKeepWebhooks } from '../contract.ts'
import type { WebhookEventType } from '../labels.ts'

/** What a webhook says of itself once its maker may not have it anymore. */
export const endedProblem = 'The person who made this webhook may no longer receive leads'

/** Returns those of the makers whose webhooks have ended: they left, or may not read leads anymore. */
export async function findEndedMakers(db: DbOrTx, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  const ended = new Set<number>()
  for (const id of new Set(userIds)) {
    const maker = await findCurrentUserById(db, id)
    if (!maker || !canKeepWebhooks(maker)) ended.add(id)
  }
  return ended
}

/** The pages that decide what a message says, by what it is about. */
const pagesOfMessages: Record<string, readonly PermissionFlag[]> = {
  lead: ['show_lead_http_columns'],
  signal: ['dashboard'],
  statement: ['campaigns'],
}

/** Throws 403 for an API key that reads less of these events than its maker: messages say what the maker may read. */
export async function assertKeyReadsEvents(db: DbOrTx, me: CurrentUser, events: readonly WebhookEventType[]) {
  const maker = me.key && (await findCurrentUserById(db, me.id))
  if (!maker) return
  for (const subject of new Set(events.map((type) => type.split('.')[0]!))) {
    const missing = pagesOfMessages[subject]?.find((page) => maker.permissions[page] && !me.permissions[page])
    if (missing)
      throw new HttpError(403, `Messages about a ${subject} say more than this key reads: it lacks ${missing}`)
    if (subject === 'lead' && maker.isSuperAdmin)
      throw new HttpError(403, 'Messages to a super admin say more of leads than a key reads')
  }
}
