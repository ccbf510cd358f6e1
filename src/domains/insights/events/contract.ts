import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { idField, queryDate, queryListOf, queryOneOf } from '#contract/fields.ts'
import { instantField } from '#contract/instants.ts'
import { pagedQuery } from '#contract/paged.ts'
import { canReadCauses, effectSchema } from '../contract.ts'
import { campaignEventKinds, eventActors } from './labels.ts'

/** What an event is about, for links to its page. */
const eventSubjectTypes = [
  'campaign',
  'note',
  'task',
  'keyword',
  'client_site',
  'listing',
  'google_location',
  'domain',
  'link',
  'redirect_domain',
] as const

const campaignEventSchema = z.object({
  /** Unique within the campaign. */
  key: z.string(),
  at: instantField,
  kind: z.enum(campaignEventKinds),
  title: z.string(),
  subject: z.object({ type: z.enum(eventSubjectTypes), id: idField.nullable(), label: z.string() }),
  by: z.enum(eventActors),
  /** The person's username; null for a machine. */
  username: z.string().nullable(),
})
export type CampaignEvent = z.infer<typeof campaignEventSchema>

/** Drawn as a time line, so it has no columns; its rows come from ten sources (docs/decisions/025-lists-described-once.md). */
const pagedEvents = pagedQuery({
  row: campaignEventSchema,
  sort: 'at',
  order: 'desc',
  perPage: 50,
  filters: {
    from: queryDate,
    to: queryDate,
    by: queryOneOf(eventActors),
    kinds: queryListOf(z.enum(campaignEventKinds)),
  },
})
export type CampaignEventsQuery = z.output<typeof pagedEvents.query>

export const campaignEventsContract = {
  list: endpoint('GET /campaign/:id/events', {
    allow: canReadCauses,
    reads: ['campaign'],
    description:
      'Events, newest first: notes, tasks, edits, outages, suspensions, links, registrations. Without days, everything until today. Only events that the reader’s pages show.',
    ...pagedEvents,
  }),
  effect: endpoint('GET /campaign/:id/effect', {
    allow: canReadCauses,
    reads: ['campaign'],
    description:
      'Leads in the four weeks before and after a day (today by default), against the other campaigns of the category.',
    query: z.object({ day: queryDate }),
    response: effectSchema,
  }),
}
