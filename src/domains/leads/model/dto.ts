import { readStoredForm, toColumnValues } from '#core/db/field-columns.ts'
import { toInstant, toWallClock } from '#core/time/local-time.ts'
import type { LeadEdit } from '../contract.ts'
import { leadFields } from '../fields.ts'
import { noCampaignId } from '../labels.ts'
import { leadsTable } from './schema.ts'

/** A lead as it is stored. */
export type StoredLead = typeof leadsTable.$inferSelect
/** A requested change, in API fields. */
export type LeadUpdate = LeadEdit & { archived?: 0 | 1 }

/** Returns everything a person can change in a lead, in API fields: the values that are compared and audited. */
export function toLeadDto(row: StoredLead, zone: string): Record<string, unknown> {
  const { day, time } = toWallClock(row.occurred_at, zone)
  return {
    ...readStoredForm(leadFields, row),
    rating: getShownRating(row)?.toString() ?? null,
    campaign_id: row.campaign_id === noCampaignId ? null : row.campaign_id,
    lead_date: day,
    lead_time: time.slice(0, 5),
    archived: row.archived ? 1 : 0,
  }
}

/** Returns the columns that a change sets. */
export function toLeadColumns(row: StoredLead, wanted: LeadUpdate, zone: string): Partial<StoredLead> {
  const { lead_date, lead_time, rating, tags, archived, ...plain } = wanted
  return {
    ...toColumnValues(leadFields, leadsTable, plain),
    ...(rating !== undefined && toRatingColumns(row, rating === null ? null : Number(rating))),
    ...(tags !== undefined && toTagColumns(row, tags)),
    ...(archived !== undefined && { archived: archived === 1 }),
    ...((lead_date ?? lead_time) !== undefined && {
      occurred_at: resolveOccurredAt(row, { lead_date, lead_time }, zone),
    }),
  }
}

/** A rating that is already shown keeps its origin. */
const toRatingColumns = (row: StoredLead, rating: number | null): Partial<StoredLead> =>
  rating === getShownRating(row)
    ? {}
    : { rating, rating_via: rating === null ? null : 'staff', unconfirmed_rating: null }

type RatingColumns = Pick<StoredLead, 'rating' | 'unconfirmed_rating'>
/** Returns the rating that a lead shows: the unconfirmed one if there is one. */
export const getShownRating = ({ rating, unconfirmed_rating }: RatingColumns): number | null =>
  unconfirmed_rating ?? rating

/** Returns the rating that a lead shows, with where it came from, in API fields. */
export const toRatingFields = ({
  rating,
  rating_via,
  unconfirmed_rating,
}: RatingColumns & Pick<StoredLead, 'rating_via'>) => ({
  rating: getShownRating({ rating, unconfirmed_rating })?.toString() ?? null,
  rating_via: unconfirmed_rating === null ? rating_via : 'link',
  rating_unconfirmed: unconfirmed_rating === null ? 0 : 1,
})

/** Keeps the order of the remaining tags; a removed tag loses its cause. */
export function toTagColumns(row: StoredLead, wanted: StoredLead['tags']): Pick<StoredLead, 'tags' | 'tag_causes'> {
  const kept = row.tags.filter((tag) => wanted.includes(tag))
  return {
    tags: [...kept, ...wanted.filter((tag) => !kept.includes(tag))],
    tag_causes: row.tag_causes.filter(({ tag }) => kept.includes(tag)),
  }
}

/** A new day alone keeps the time, to the second; a new time alone keeps the day. Returns the same instant if neither changes. */
function resolveOccurredAt(row: StoredLead, wanted: Pick<LeadUpdate, 'lead_date' | 'lead_time'>, zone: string): Date {
  const now = toWallClock(row.occurred_at, zone)
  const day = wanted.lead_date ?? now.day
  const time = wanted.lead_time === undefined || now.time.startsWith(wanted.lead_time) ? now.time : wanted.lead_time
  return day === now.day && time === now.time ? row.occurred_at : toInstant(day, time, zone)
}
