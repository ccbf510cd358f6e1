import { and, eq } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { notFoundError, validationError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { campaignsTable } from '../schema.ts'

/** `update` for a caller that writes the campaign; `key share` keeps it from being removed until the transaction ends. */
type CampaignLock = 'update' | 'no key update' | 'share' | 'key share'

/** Returns the campaign. Throws the same 404 whether it does not exist or this person may not see it. */
export async function requireCampaign(
  db: DbOrTx,
  me: CurrentUser,
  id: number,
  { lock }: { lock?: CampaignLock } = {},
): Promise<typeof campaignsTable.$inferSelect> {
  const found = db
    .select()
    .from(campaignsTable)
    .where(and(eq(campaignsTable.id, id), inVisibleCampaigns(me, campaignsTable.id)))
  const [campaign] = await (lock ? found.for(lock) : found)
  if (!campaign) throw notFoundError()
  return campaign
}

/** What to do instead of putting a lead into this campaign. Those of its own sites keep coming in. */
export const describeArchived = ({ name }: { name: string }) =>
  `${name} is archived: restore it first, or choose another campaign`

/** Throws 422 at the field that names the campaign. */
export function requireUnarchived(campaign: { name: string; archived: boolean }, field: string) {
  if (campaign.archived) throw validationError({ [field]: [describeArchived(campaign)] })
}
