import { z } from 'zod'
import { isTimeZone } from '#contract/zoned-time.ts'

/**
 * The input of backtests and models: facts about an agency, from the database or from a file with one JSON object per
 * line. Instants are ISO 8601 in UTC, days `yyyy-MM-dd` in the agency's zone.
 */

const day = z.iso.date('must be a day, yyyy-MM-dd')
const instant = z.iso.datetime({ offset: true, error: 'must be a time in ISO 8601' })
const id = z.int('must be a whole number')
const text = z.string('must be text')
const dueDateError = 'must be a day of the month, 1 to 31'
const targetError = 'must be a number from 0 on'

const campaignFact = z.object({
  kind: z.literal('campaign'),
  id,
  category: text.nullish().transform((value) => value ?? ''),
  timezone: text.refine(isTimeZone, 'must be a time zone such as America/New_York').nullish(),
  start_date: day.nullable().default(null),
  due_date: z
    .int(dueDateError)
    .min(1, dueDateError)
    .max(31, dueDateError)
    .nullish()
    .transform((value) => value ?? 1),
  target: z.number(targetError).min(0, targetError).nullable().default(null),
})
const sourceFact = z.object({
  kind: z.literal('source'),
  id: text,
  campaign: id,
  site: id.nullable().default(null),
})
const leadFact = z.object({
  kind: z.literal('lead'),
  id: z.union([z.int(), text], 'must be a whole number or text'),
  campaign: id,
  source: text.nullable().default(null),
  type: z.enum(['Call', 'Form'], 'must be Call or Form'),
  channel: text.nullable().default(null),
  at: instant,
  verified_at: instant.nullable().default(null),
  /** When a person decided, either way. Undefined if the facts do not say. */
  judged_at: instant.nullable().optional(),
  hidden_by: text.nullable().default(null),
  missed: z
    .boolean('must be true or false')
    .nullish()
    .transform((value) => value ?? false),
})
const factEvents = [
  'site_offline',
  'listing_suspended',
  'keyword_added',
  'hours_edited',
  'link_lost',
  'redirect_broken',
  'note',
] as const
const eventFact = z.object({
  kind: z.literal('event'),
  campaign: id,
  site: id.nullable().default(null),
  event: z.enum(factEvents, `must be one of ${factEvents.join(', ')}`),
  at: instant,
  until: instant.nullable().default(null),
  /** The id of the site, listing, keyword, campaign or note, if there is one. */
  subject_id: id.nullable().default(null),
  title: text.nullish().transform((value) => value ?? ''),
})
/** Leadline itself could not reach the internet. */
const offlineFact = z.object({ kind: z.literal('offline'), at: instant, until: instant.nullable().default(null) })
const factSchema = z.discriminatedUnion('kind', [campaignFact, sourceFact, leadFact, eventFact, offlineFact], {
  error: 'must be campaign, source, lead, event or offline',
})

export type CampaignFact = z.output<typeof campaignFact>
export type SourceFact = z.output<typeof sourceFact>
export type LeadFact = z.output<typeof leadFact>
export type EventFact = z.output<typeof eventFact>
export type OfflineFact = z.output<typeof offlineFact>
export type AgencyFacts = {
  campaigns: CampaignFact[]
  sources: SourceFact[]
  leads: LeadFact[]
  events: EventFact[]
  /** Days that say nothing: what reached Leadline then is not all. */
  offline: OfflineFact[]
}

/** Thrown for invalid lines; each entry of `lines` has a line number and the reason. */
export class InvalidFactsError extends Error {
  readonly lines: string[]

  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

/** Parses a file of facts, in any order of lines. Throws InvalidFactsError. */
export function parseFacts(lines: Iterable<string>): AgencyFacts {
  const facts: AgencyFacts = { campaigns: [], sources: [], leads: [], events: [], offline: [] }
  const problems: string[] = []
  const references: { line: number; campaign?: number; source?: string }[] = []
  const seen = new Set<string>()
  let number = 0
  for (const text of lines) {
    number++
    const line = text.trim() // removes a byte order mark too
    if (line === '') continue
    const parsed = parseFact(line)
    if (typeof parsed === 'string') {
      problems.push(`line ${number}: ${parsed}`)
      continue
    }
    if (parsed.kind === 'offline') {
      facts.offline.push(parsed)
      continue
    }
    if (parsed.kind !== 'event') {
      const key = `${parsed.kind} ${parsed.id}`
      if (seen.has(key)) problems.push(`line ${number}: ${key} appears twice`)
      seen.add(key)
    }
    if (parsed.kind === 'campaign') facts.campaigns.push(parsed)
    else references.push({ line: number, campaign: parsed.campaign })
    if (parsed.kind === 'source') facts.sources.push(parsed)
    if (parsed.kind === 'event') facts.events.push(parsed)
    if (parsed.kind === 'lead') {
      facts.leads.push(parsed)
      if (parsed.source !== null) references.push({ line: number, source: parsed.source })
    }
  }
  for (const { line, campaign, source } of references) {
    if (campaign !== undefined && !seen.has(`campaign ${campaign}`))
      problems.push(`line ${line}: there is no campaign ${campaign}`)
    if (source !== undefined && !seen.has(`source ${source}`))
      problems.push(`line ${line}: there is no source ${source}`)
  }
  if (problems.length > 0)
    throw new InvalidFactsError(problems.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })))
  return sortFacts(facts)
}

function parseFact(line: string): z.output<typeof factSchema> | string {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    return 'this is not JSON'
  }
  const parsed = factSchema.safeParse(json)
  if (parsed.success) return parsed.data
  return parsed.error.issues.map(({ path, message }) => [...path, message].join(' ')).join('; ')
}

/** Returns facts in a canonical order. */
export function sortFacts(facts: AgencyFacts): AgencyFacts {
  const byId = (a: { id: number | string }, b: { id: number | string }) =>
    String(a.id).localeCompare(String(b.id), 'en', { numeric: true })
  // Parsed once, because there may be hundreds of thousands.
  const times = new Map([...facts.leads, ...facts.events].map((fact) => [fact, Date.parse(fact.at)]))
  const byTime = (a: EventFact | LeadFact, b: EventFact | LeadFact) => times.get(a)! - times.get(b)!
  return {
    campaigns: facts.campaigns.toSorted(byId),
    sources: facts.sources.toSorted(byId),
    leads: facts.leads.toSorted((a, b) => byTime(a, b) || byId(a, b)),
    events: facts.events.toSorted(
      (a, b) =>
        byTime(a, b) || a.event.localeCompare(b.event) || a.campaign - b.campaign || (a.site ?? 0) - (b.site ?? 0),
    ),
    offline: facts.offline.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
  }
}
