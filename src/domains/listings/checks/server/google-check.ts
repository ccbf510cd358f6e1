import { sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { googleSyncQueue, type VerificationStatus } from '#domains/listings/google/labels.ts'
import { findOAuthClient } from '#domains/listings/google/server/google-access.ts'
import type { ListingResult } from '#integrations/public-listing/public-listing.ts'
import { type DueListing, type GoogleListingResult, saveCheckResult } from './record-check.ts'

/** A listing with the last read state of the linked Google location that has its `cid`. */
type LinkedListing = DueListing & {
  email: string
  needs_relink: boolean
  /** Whether Google was read since the last check or request. */
  is_read: boolean
  is_late: boolean
  problem: string | null
  title: string
  address: string | null
  phone: string | null
  website: string | null
  category: string | null
  open_status: string | null
  standing: VerificationStatus
  /** Milliseconds since the epoch. */
  since: number
}

const batchSize = 200
const googleTimeout = '10 minutes'

/**
 * For a listing `g`. A listing whose location has vanished from its account is checked by its public link again; without a Google
 * client, which reads the locations, each one is.
 */
export const buildLinkedCondition = async (context: AppContext) =>
  (await findOAuthClient(context))
    ? sql`exists (select from google_locations own where own.cid = g.cid and own.vanished_since is null)`
    : sql`false`

/** Queues syncs of the Google accounts of these listings; `applyGoogleResults` saves what they find. */
export async function requestGoogleSync(tx: Tx, { jobs }: AppContext, ids: number[]): Promise<void> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    select distinct account_id as id from google_locations l join campaign_gmbs g on g.cid = l.cid
    where g.id = any(${sql.param(ids)}::int[]) and l.vanished_since is null`)
  for (const { id } of rows) await jobs.send(tx, googleSyncQueue, { id }, { key: String(id) })
}

export async function hasGoogleLocation(context: AppContext, id: number): Promise<boolean> {
  const isLinked = await buildLinkedCondition(context)
  const { rows } = await context.db.execute(sql`select from campaign_gmbs g where id = ${id} and ${isLinked}`)
  return rows.length > 0
}

/** Saves what syncs have found about linked listings since their last check, without any request. Returns the count. */
export async function applyGoogleResults(context: AppContext): Promise<number> {
  if (!(await findOAuthClient(context))) return 0
  let [count, last] = [0, 0]
  for (;;) {
    const due = await readDueLinked(context.db, last)
    for (const one of due) {
      await saveCheckResult(context, one, toCheckResult(one))
      count += 1
      last = one.id
    }
    if (due.length < batchSize) return count
  }
}

function toCheckResult(one: LinkedListing): ListingResult | GoogleListingResult {
  const unread = (problem: string): ListingResult => ({ outcome: 'unread', problem, rest: null })
  if (one.needs_relink) return unread(`The Google account ${one.email} must be linked again`)
  if (!one.is_read && one.problem) return unread(one.problem)
  if (!one.is_read && one.is_late) return unread('Google did not answer in time')
  const { title, address, phone, website, category, open_status, standing } = one
  const closed = open_status?.startsWith('CLOSED_') ? `${open_status.slice(7).toLowerCase()} closed` : null
  return {
    outcome: 'location',
    snapshot: { title, address, phone, website, category, ...(open_status ? { closed } : {}) },
    standing,
    since: new Date(one.since),
  }
}

async function readDueLinked(db: DbOrTx, id: number): Promise<LinkedListing[]> {
  const before = sql`coalesce(g.check_asked_at, g.checked_at, '-infinity')`
  const { rows } = await db.execute<LinkedListing>(sql`
    select g.id, g.link, a.email, a.needs_relink_since is not null as needs_relink, l.seen_at > ${before} as is_read,
      coalesce(g.check_asked_at < now() - ${googleTimeout}::interval, false) as is_late, a.problem, l.title, l.address, l.phone, l.website,
      l.primary_category ->> 'displayName' as category, l.open_status, l.standing,
      extract(epoch from l.standing_since)::float * 1000 as since
    from campaign_gmbs g
      join lateral (
        select * from google_locations l where l.cid = g.cid and l.vanished_since is null order by l.seen_at desc, l.id limit 1) l on true
      join google_accounts a on a.id = l.account_id
    where g.id > ${id} and g.deleted_at is null and (
      greatest(l.seen_at, a.sync_ended_at, a.needs_relink_since) > ${before}
      or (g.check_asked_at is null and g.seen_by is distinct from 'google' and a.needs_relink_since is null)
      or (g.check_asked_at is not null and (a.needs_relink_since is not null or g.check_asked_at < now() - ${googleTimeout}::interval)))
    order by g.id limit ${batchSize}`)
  return rows
}
