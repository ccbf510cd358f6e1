import { trafficSources } from '#domains/leads/labels.ts'
import { computeAutoTags, hasSpamTag } from '#domains/leads/model/auto-tags.ts'
import type { leadsTable } from '#domains/leads/model/schema.ts'
import { type CampaignHours, checkWorkingTime } from '#domains/leads/model/working-hours.ts'
import { createSpamMatcher, type SpamMatch } from '#domains/leads/spam/server/spam-match.ts'
import type { DemoCampaign } from './agency.ts'
import type { LeadMoment } from './calendar.ts'
import { createPerson, type DemoPerson } from './people.ts'
import type { SeededRandom } from './random.ts'
import { blacklistedKeywords, composeFormMessage, pickQuietOffer, pickSpamOffer } from './sample-text.ts'

/** Leads as they arrive, tagged by the intake's own rules, before staff edit them. */

type DemoLeadInsert = (typeof leadsTable)['$inferInsert']
export type DemoLead = DemoLeadInsert &
  Required<Pick<DemoLeadInsert, keyof typeof leadDefaults | 'created_at'>> & { id: number }
export type DemoSpammer = { someone: DemoPerson; since: Date }
/** The people that each campaign knows, so that some return, and the phones that have called it. */
type CampaignMemory = Map<number, { people: DemoPerson[]; phones: Set<string> }>

export function createDemoLeads(dice: SeededRandom, moments: LeadMoment[], spammers: DemoSpammer[]): DemoLead[] {
  const memory: CampaignMemory = new Map()
  return moments.map((moment, index) => createDemoLead(dice, moment, index + 1, spammers, memory))
}

const leadDefaults = {
  lead_name: null,
  lead_location: null,
  lead_email: null,
  lead_phone: null,
  phone_key: null,
  message: null,
  notes: null,
  duration: null,
  answered: null,
  voicemail: false,
  call_type: null,
  recording_url: null,
  tags: [],
  tag_causes: [],
  confirmed: false,
  hide: false,
  archived: false,
  first_call: false,
  client_progress: null,
  company_name: null,
  client_notes: null,
  client_value: null,
  client_profit: null,
  rating: null,
  rating_via: null,
  last_url: null,
  referrer: null,
  source: null,
  keywords: null,
  gclid: null,
  gbraid: null,
  wbraid: null,
  msclkid: null,
  fbclid: null,
  source_stated: null,
  tracking_phone_number: null,
  tracking_source: null,
  notify: true,
  version: 1,
} satisfies Partial<DemoLeadInsert>

function createDemoLead(
  dice: SeededRandom,
  { contract, at, isFromMaps = false }: LeadMoment,
  id: number,
  spammers: DemoSpammer[],
  memory: CampaignMemory,
): DemoLead {
  const isCall = dice.chance(contract.trade.calls) || isFromMaps
  const hours = getWorkingHours(contract)
  const spammer = dice.chance(0.02) ? dice.pick(spammers) : null
  const { people, phones } = memory.get(contract.row.id) ?? { people: [], phones: new Set() }
  memory.set(contract.row.id, { people, phones })
  const again = people.length > 0 && dice.chance(0.13) ? dice.pick(people.slice(-40)) : null
  const person = spammer?.someone ?? again ?? pickNewCaller(dice, contract, memory)
  if (!again) people.push(person)
  const isFirst = isCall && !phones.has(person.phone)
  if (isCall) phones.add(person.phone)
  const site = dice.pick(contract.sites)
  const phone = isCall || dice.chance(0.94) ? person.phone : null
  const base: DemoLead = {
    ...leadDefaults,
    id,
    campaign_id: contract.row.id,
    clientsite_id: site.id,
    lead_s: isCall ? 'Callrail' : 'Formidable',
    lead_id: isCall ? `CAL${dice.text(32)}` : `${site.id}-${4000 + id}`,
    occurred_at: at,
    created_at: new Date(at.getTime() + (isCall ? dice.int(120, 900) : 2) * 1000),
    lead_type: isCall ? 'Call' : 'Form',
    lead_name: isCall && dice.chance(0.15) ? null : person.name,
    lead_phone: phone,
    phone_key: phone,
    ...createSourceFields(dice, contract, site.url, isCall),
    ...(isFromMaps && { source: 'Google Maps', tracking_source: 'Google Maps', keywords: null, gclid: null }),
  }
  const lead: DemoLead = isCall
    ? {
        ...base,
        lead_location: person.location,
        first_call: isFirst,
        ...createCallFields(dice, checkWorkingTime(hours, at).open, base.lead_id),
      }
    : { ...base, lead_email: person.email, message: pickLeadMessage(dice, contract) }
  const known = spammer !== null && spammer.since < at ? spammer.someone.name : null
  const spam: SpamMatch[] = known === null ? [] : [{ rule: 0, tag: 'Autospam', because: `spammer ${known}` }]
  const causes = computeAutoTags(lead, [...spam, ...findBlacklisted(lead)], hours)
  return { ...lead, tags: causes.map(({ tag }) => tag), tag_causes: causes, hide: hasSpamTag(causes) }
}

const findBlacklisted = createSpamMatcher({
  spammers: [],
  keywords: blacklistedKeywords.map((keyword, id) => ({ id, keyword })),
})

const getWorkingHours = ({ row }: DemoCampaign): CampaignHours => ({
  schedule: row.schedule ?? [],
  timezone: row.timezone ?? 'UTC',
})

/** Sometimes picks a person that a neighboring campaign knows: those leads are related across campaigns. */
function pickNewCaller(dice: SeededRandom, { place, row }: DemoCampaign, memory: CampaignMemory): DemoPerson {
  const others = dice.chance(0.02) ? memory.get(dice.int(1, row.id))?.people : undefined
  return others && others.length > 0 ? dice.pick(others) : createPerson(dice, place)
}

function pickLeadMessage(dice: SeededRandom, { trade }: DemoCampaign): string {
  if (dice.chance(0.03)) return pickSpamOffer(dice)
  return dice.chance(0.02) ? pickQuietOffer(dice) : composeFormMessage(dice, trade)
}

function createCallFields(dice: SeededRandom, isOpen: boolean, leadId: string) {
  const outcome = dice.weighted(
    isOpen
      ? { answered: 80, voicemail: 7, abandoned: 6, missed: 7 }
      : { answered: 22, voicemail: 40, abandoned: 14, missed: 24 },
  )
  const duration = {
    answered: Math.round(Math.min(3000, 20 + dice.skewed(135, 0.8))),
    voicemail: dice.int(25, 95),
    abandoned: dice.int(2, 14),
    missed: dice.int(18, 45),
  }[outcome]
  const isRecorded = outcome === 'answered' || outcome === 'voicemail'
  return {
    duration,
    answered: outcome === 'answered',
    voicemail: outcome === 'voicemail',
    call_type: outcome,
    recording_url: isRecorded
      ? `https://app.callrail.com/calls/${leadId}/recording/redirect?access_key=0a1b2c3d4e5f`
      : null,
  }
}

function createSourceFields(dice: SeededRandom, { row, place, trade }: DemoCampaign, url: string, isCall: boolean) {
  const source = dice.weighted({
    'Google Organic': 38,
    'Google Maps': 27,
    'Google Paid': row.is_ppc ? 28 : 2,
    Facebook: 5,
    Instagram: 2,
    'Google Local Services Ads': 6,
    '': 8,
  })
  const isPaid = source === 'Google Paid'
  const page = dice.pick(['', 'contact', 'free-estimate', 'services', trade.name.toLowerCase().replaceAll(' ', '-')])
  const gclid = isPaid
    ? `Cj0KCQ${dice.text(40, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-')}`
    : null
  return {
    source: trafficSources.find((name) => name === source) ?? null,
    last_url: `${url}/${page}${gclid ? `?gclid=${gclid}` : ''}`,
    referrer: source.startsWith('Google')
      ? 'https://www.google.com/'
      : source === ''
        ? null
        : `https://${source.toLowerCase()}.com/`,
    keywords: isPaid || dice.chance(0.1) ? `${dice.pick(trade.searches)} ${place.city.toLowerCase()}` : null,
    gclid,
    tracking_phone_number: isCall ? `+1${place.area}55501${String(row.id % 100).padStart(2, '0')}` : null,
    tracking_source: isCall ? source || 'Direct' : null,
  }
}
