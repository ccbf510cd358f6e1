import { and, eq, isNull } from 'drizzle-orm'
import { HttpError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { getGmbStatusName, liveStatus } from '#domains/listings/gmbs/labels.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { checkListingNow } from './check-page.ts'
import { hasGoogleLocation, requestGoogleSync } from './google-check.ts'

/**
 * Checks a listing now. A listing of a linked Google account is checked by that account's next sync, which is queued. Returns
 * whether what is stored is now checked.
 */
export async function checkOneListing(context: AppContext, id: number): Promise<boolean> {
  const [listing] = await context.db
    .select({ id: gmbsTable.id, link: gmbsTable.link })
    .from(gmbsTable)
    .where(and(eq(gmbsTable.id, id), isNull(gmbsTable.deleted_at)))
  if (!listing) return true
  if (await hasGoogleLocation(context, id)) {
    await context.db.transaction((tx) => requestGoogleSync(tx, context, [id]))
    return false
  }
  await checkListingNow(context, listing)
  return true
}

const listingsToCheck = 3

/** `unclear`: what is known of one that is not surely live, as the end of a sentence about it. */
type CheckedListing = { id: number; title: string; suspended: boolean; changed: boolean; unclear: string | null }

/** Checks the first few listings of a campaign and returns what is known of each. */
export async function checkCampaignListings(context: AppContext, campaignId: number): Promise<CheckedListing[]> {
  const where = and(eq(gmbsTable.campaign_id, campaignId), isNull(gmbsTable.deleted_at))
  const listings = await context.db
    .select({ id: gmbsTable.id })
    .from(gmbsTable)
    .where(where)
    .orderBy(gmbsTable.id)
    .limit(listingsToCheck)
  for (const { id } of listings)
    try {
      await checkOneListing(context, id)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error // other checks took too long: return what is known
    }
  const rows = await context.db.select().from(gmbsTable).where(where).orderBy(gmbsTable.id).limit(listingsToCheck)
  return rows.map(({ suspended_at, ...row }) => ({
    id: row.id,
    title: row.title,
    suspended: suspended_at !== null,
    changed: row.changed,
    unclear: describeUnclear(row),
  }))
}

type CheckState = Pick<typeof gmbsTable.$inferSelect, 'status' | 'check_problem' | 'missed_at' | 'gone_at'>

function describeUnclear({ status, check_problem, missed_at, gone_at }: CheckState): string | null {
  if (check_problem !== null) return 'could not be checked on Google'
  if (missed_at !== null || gone_at !== null) return 'was not found on Google'
  return status === liveStatus ? null : `is ${getGmbStatusName(status).toLowerCase()} on Google`
}
