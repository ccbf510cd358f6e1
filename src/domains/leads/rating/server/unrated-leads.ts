import { type SQL, sql } from 'drizzle-orm'
import { addDays, getToday } from '#contract/days.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { verifiedLeadCondition } from '../../model/facets.ts'
import { leadsTable } from '../../model/schema.ts'

/** Older leads no longer need a rating. */
const unratedDays = 90

/** Matches the verified leads of the last 90 days that their client has neither rated nor given a progress. */
export const unratedLeadCondition = (zone: string): SQL =>
  sql`${verifiedLeadCondition} and ${leadsTable.rating} is null and ${leadsTable.client_progress} is null
    and ${leadsTable.occurred_at} >= ${startOfZonedDay(addDays(getToday(zone), -unratedDays), zone)}`
