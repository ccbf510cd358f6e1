import { inArray } from 'drizzle-orm'
import type { Permissions } from '#contract/allow.ts'
import { addDays, type CalendarDay, daysBetween, getToday } from '#contract/days.ts'
import { validationError } from '#core/http/errors.ts'
import { endOfZonedDay, startOfZonedDay } from '#core/time/local-time.ts'
import type { AppContext } from '#domains/app-context.ts'
import { keywordsTable } from '#domains/leads/spam/schema.ts'
import type { DoorIdName, WhyCampaignIsBehind } from '../../contract.ts'
import { campaignEvents, canReadEvents } from '../../events/labels.ts'
import type { EventFact } from '../../server/facts.ts'
import { readDerivedFacts, readFactsFor } from '../../server/recent-facts.ts'
import { prepareWhy } from './why-agency.ts'
import { roundAnswer } from './why-backtest.ts'
import { explainShortfall, type WhyCause, type WhyControl } from './why-model.ts'

type WhyEventKind = {
  because: string
  door: { kind: string; label: string }
  /** The name of the id of the action's target. */
  idName: DoorIdName
}

const eventKinds: Record<EventFact['event'], WhyEventKind> = {
  site_offline: {
    because: 'Forms and web calls of this site fell while it was offline',
    door: { kind: 'probe', label: 'Check the site now' },
    idName: 'site_id',
  },
  listing_suspended: {
    because: 'Leads from Google Maps fell when the listing was suspended',
    door: { kind: 'listing', label: 'Open the listing' },
    idName: 'listing_id',
  },
  keyword_added: {
    because: 'This keyword hid leads that would usually have been verified',
    door: { kind: 'rule', label: 'Undo the rule' },
    idName: 'rule_id',
  },
  hours_edited: {
    because: 'More calls than usual are missed since the working hours were edited',
    door: { kind: 'hours', label: 'Open the working hours' },
    idName: 'campaign_id',
  },
  link_lost: {
    because: 'Leads from Google Organic fell when the link was lost',
    door: { kind: 'link', label: 'Open the links' },
    idName: 'link_id',
  },
  redirect_broken: {
    because: 'Leads from Google Organic fell when the redirect broke',
    door: { kind: 'redirect', label: 'Open the redirect' },
    idName: 'redirect_id',
  },
  note: {
    because: 'Leads fell around the day of this note',
    door: { kind: 'note', label: 'Open the note' },
    idName: 'note_id',
  },
}

const usualDays = 30
/** All leads of the agency in these days are read. */
const mostDays = 366

/** Returns the requested days, by default the last 30. Throws 422 if the last is before the first, and for too many. */
export function resolveWhyDays(
  { from, to }: { from?: CalendarDay | undefined; to?: CalendarDay | undefined },
  timeZone: string,
): { from: CalendarDay; to: CalendarDay } {
  const today = getToday(timeZone)
  const last = to !== undefined && to < today ? to : today
  const first = from ?? addDays(last, 1 - usualDays)
  if (to !== undefined && from !== undefined && to < from)
    throw validationError({ to: ['The last day is before the first'] })
  if (first > last) throw validationError({ from: ['This is in the future'] })
  if (daysBetween(first, last) >= mostDays) throw validationError({ from: [`At most ${mostDays} days`] })
  return { from: first, to: last }
}

export async function readCauses(
  context: AppContext,
  campaignId: number,
  days: { from: CalendarDay; to: CalendarDay },
  permissions: Permissions,
): Promise<WhyCampaignIsBehind> {
  const timeZone = context.settings.AGENCY_TIMEZONE
  const mayRead = ({ event }: EventFact) => canReadEvents(event, permissions)
  const window = {
    from: startOfZonedDay(days.from, timeZone).getTime(),
    to: Math.min(endOfZonedDay(days.to, timeZone).getTime(), Date.now()),
  }
  // The shared part of the model is fitted once for the same days.
  const agency = await readDerivedFacts(context, `why ${days.from} ${days.to}`, 20, async () =>
    prepareWhy(await readFactsFor(context, days.from, window.to), window, timeZone),
  )
  const { expected, observed, shortfall, segments, causes } = roundAnswer(
    explainShortfall(agency.campaign(campaignId, mayRead), agency.range),
  )
  const rules = await readRuleIds(context, causes)
  return {
    ...days,
    expected,
    observed,
    shortfall,
    segments,
    causes: causes.map((cause, index) => toCauseRow(cause, index, rules)),
    found: causes.length > 0,
  }
}

/** Returns the ids of the rules of keywords that still exist. */
async function readRuleIds({ db }: AppContext, causes: readonly WhyCause[]): Promise<Map<string, number>> {
  const keywords = causes.flatMap(({ event }) => (event.event === 'keyword_added' ? [event.title] : []))
  if (keywords.length === 0) return new Map()
  const rows = await db
    .select({ keyword: keywordsTable.keyword, id: keywordsTable.id })
    .from(keywordsTable)
    .where(inArray(keywordsTable.keyword, keywords))
  return new Map(rows.map(({ keyword, id }) => [keyword, id]))
}

/** What the leads were compared with, at the end of the reason. */
const controlWords: Record<WhyControl, string> = {
  past: '',
  category: ', compared with other campaigns of its category',
  own: ', compared with the campaign’s other leads',
}

function toCauseRow({ event, lost, control }: WhyCause, index: number, rules: Map<string, number>) {
  const { because, door, idName } = eventKinds[event.event]
  const title = campaignEvents[event.event].label
  const id = event.event === 'keyword_added' ? (rules.get(event.title) ?? null) : event.subject_id
  return {
    kind: event.event,
    title: event.title === '' || event.title === title ? title : `${title}: ${event.title}`,
    at: event.at,
    lost,
    rank: index + 1,
    because: because + controlWords[control],
    door: { ...door, subject: event.title, id, ...nameDoorId(idName, id) },
  }
}

/** Returns the id of an action's target under the name of its kind: `{ rule_id: 3 }`. */
const nameDoorId = (name: DoorIdName, id: number | null): { [Name in DoorIdName]?: number } =>
  id === null ? {} : { [name]: id }
