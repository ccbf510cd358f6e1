import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#server/db.ts'
import type { Me } from '#server/me.ts'
import { checkTests, condition } from './facets.ts'
import { leads } from './table.ts'
import { notHiddenFrom } from './visible.ts'

const isTaggedMissed = sql`${leads.tags} && array['Missed Call', 'Auto Missed Call']`

/** A missed lead: tagged as a missed call, and not verified. */
export const isMissed = sql`(not ${leads.confirmed} and ${isTaggedMissed})`

/**
 * What chart and table count: verified and missed leads of the Leads list, as far as this person may see them. Spelt as the
 * index `leads_counted` spells it, which holds nothing else; so among these a lead that is not verified is a missed one.
 */
export const isCountedFor = (me: Me): SQL =>
  sql`not ${leads.archived} and (${leads.confirmed} or ${isTaggedMissed}) and ${notHiddenFrom(me) ?? sql`true`}`

/** Over counted leads: asked of `facets`, which the index holds. */
export const counts = sql`
  (count(*) filter (where ${condition(checkTests.confirmed)}))::int as confirmed,
  (count(*) filter (where not ${condition(checkTests.confirmed)}))::int as missed`

/** `starts` are instants, each bucket ending where the next begins and the last at `end`; `campaigns` selects ids. */
type Asked = { campaigns: SQL; starts: Date[]; end: Date }
export type Counted = { campaign_id: number; bucket: number; confirmed: number; missed: number }

/** How many leads fall into each bucket, by campaign; those without any are left out. Buckets count from 0. */
export async function countedByCampaign(db: Queries, me: Me, asked: Asked): Promise<Counted[]> {
  const found = await db.execute<Counted>(sql`
    select ${leads.campaign_id}, ${bucketOf(asked)} as bucket, ${counts} ${from(me, asked)} group by 1, 2`)
  return found.rows
}

/** The same for all of these campaigns together. */
export async function countedTogether(db: Queries, me: Me, asked: Asked): Promise<Omit<Counted, 'campaign_id'>[]> {
  const found = await db.execute<Counted>(sql`
    select ${bucketOf(asked)} as bucket, ${counts} ${from(me, asked)} group by 1`)
  return found.rows
}

/** A search among the days' first instants, which the program reckons: PostgreSQL's own idea of time zones stays out of it. */
const bucketOf = ({ starts }: Asked) =>
  sql`width_bucket(${leads.occurred_at}, ${sql.param(starts.map((start) => start.toISOString()))}::timestamptz[]) - 1`

const from = (me: Me, { campaigns, starts, end }: Asked) => sql`
  from (${campaigns}) asked join ${leads} on ${leads.campaign_id} = asked.id
  where ${isCountedFor(me)} and ${leads.occurred_at} >= ${starts[0]} and ${leads.occurred_at} < ${end}`
