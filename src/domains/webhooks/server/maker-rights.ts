import type { PermissionFlag } from '#contract/allow.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import { type CurrentUser, findCurrentUserById } from '#domains/access/public.ts'
import { canKeepWebhooks } from '../contract.ts'
import { testMessageType, type WebhookEventType, type WebhookMessageType } from '../labels.ts'
import { erasedBody } from './personal-data.ts'

/** The problem of a webhook whose creator may no longer have it. */
export const endedProblem = 'The creator of this webhook may no longer receive leads'

/** Returns the creators whose webhooks have ended: they left, or may no longer read leads. */
export async function findEndedMakers(db: DbOrTx, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  const ended = new Set<number>()
  for (const id of new Set(userIds)) if ((await findMaker(db, id)) === null) ended.add(id)
  return ended
}

/** Returns the creator of a webhook; null if it has ended with their rights. */
export async function findMaker(db: DbOrTx, userId: number): Promise<CurrentUser | null> {
  const maker = await findCurrentUserById(db, userId)
  return maker && canKeepWebhooks(maker) ? maker : null
}

/** Why a message is not sent, or not again. */
export const takenProblem = 'The creator of this webhook may no longer read what this message is about'

/** Returns whether a creator may still read what a message holds: it may wait for a day, and be sent again later. */
export function mayReadMessage({ campaignIds, permissions }: CurrentUser, { type, body }: Message): boolean {
  if (type === testMessageType || body === erasedBody) return true
  const kind = type.split('.')[0]!
  const { data } = JSON.parse(body) as { data: { campaign: { id: number } | null } } // of leads, signals and statements
  const { campaign } = data
  // Of a lead it has what its creator could read then: the tags, and all else that takes the page, only with it.
  const holdsPages = kind !== 'lead' || 'tags' in data
  if (holdsPages && pagesOfMessages[kind]?.some((page) => !permissions[page])) return false
  return campaignIds === null || (campaign === null ? kind === 'signal' : campaignIds.includes(campaign.id))
}
type Message = { type: WebhookMessageType; body: string }

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
