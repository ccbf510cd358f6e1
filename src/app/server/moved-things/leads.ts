import { and, eq, inArray, ne } from 'drizzle-orm'
import type { z } from 'zod'
import { cutText } from '#contract/cut-text.ts'
import type { FieldDefinition } from '#contract/field-definitions.ts'
import type { Tx } from '#core/db/db.ts'
import { validationError } from '#core/http/errors.ts'
import { toInstant } from '#core/time/local-time.ts'
import { leadFields } from '#domains/leads/fields.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { type LeadTag, leadTags, leadTypes, noCampaignId } from '#domains/leads/labels.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'
import type { NewLead } from '#domains/leads/model/new-lead-row.ts'
import { anyCompany, findKnownLeads, providerIdKey, siteOrigin } from '#domains/leads/model/provider-ids.ts'
import { earlierChangersTable, leadsTable } from '#domains/leads/model/schema.ts'
import { deleteUntouchedLeads, findBilledLeads, insertLeads } from '#domains/leads/model/store.ts'
import {
  billedReason,
  changedReason,
  type KindWriter,
  type MoveCaller,
  type MoveLookup,
  readDay,
  readFlag,
  readMoment,
  readNumber,
  readRecords,
  readReference,
  readText,
  readTime,
  toLeadNumber,
  type WrittenThing,
} from '#domains/moves/public.ts'
import { movedIdsTable } from '#domains/moves/schema.ts'
import { createKeeper } from './fit-form.ts'

type Row = Record<string, unknown>

/** A lead with its verdict, tags, progress, rating and notes. One that is here already stays as it is. No one is mailed. */
export const movedLead: KindWriter = {
  write: async (tx, by, thing, lookup) => (await writeLeads(tx, by, [thing], lookup))[0]!,

  writeMany: (tx, by, things, lookup) => writeLeads(tx, by, things, lookup),

  remove: async (tx, _, id) => (await removeLeads(tx, [id])).get(id) ?? null,

  removeMany: removeLeads,
}

/** Deletes the leads that no one has changed or billed, with what the move has written beside them. */
async function removeLeads(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  const { id } = leadsTable
  await deleteUntouchedLeads(tx, [...ids])
  const left = await tx
    .select({ id })
    .from(leadsTable)
    .where(inArray(id, [...ids]))
  const billed = await findBilledLeads(tx, [...ids])
  const kept = new Map(left.map((lead) => [lead.id, billed.has(lead.id) ? billedReason : changedReason]))
  const gone = ids.filter((one) => !kept.has(one))
  await tx.delete(earlierChangersTable).where(inArray(earlierChangersTable.lead_id, gone))
  await tx.update(inboundEventsTable).set({ lead_id: null }).where(inArray(inboundEventsTable.lead_id, gone))
  return kept
}

type MovedThing = { old_id: string; payload: Row }

async function writeLeads(
  tx: Tx,
  by: MoveCaller,
  things: readonly MovedThing[],
  lookup: MoveLookup,
  isSeparate = false,
): Promise<WrittenThing[]> {
  const zone = by.context.settings.AGENCY_TIMEZONE
  const leads = things.map((thing) => toNewLead(thing, zone, lookup, isSeparate))
  const created = await insertLeads(
    tx,
    zone,
    leads.map(({ lead }) => lead),
  )
  const numbers = leads.map(({ lead }) => ({
    ...{ lead_s: lead.lead_s, lead_id: lead.lead_id, origin: lead.origin ?? '' },
    ...{ campaign_id: lead.campaign_id ?? noCampaignId, clientsite_id: lead.clientsite_id ?? null },
    company: lead.company,
  }))
  if (new Set(leads.map(({ lead }) => providerIdKey(lead))).size < leads.length) throw sameNumberError()
  await writeChangers(tx, leads, created)
  const known = created.size < leads.length ? await findKnownLeads(tx, numbers) : new Map()
  const written: WrittenThing[] = []
  for (const [index, { lead, kept }] of leads.entries()) {
    const made = created.get(providerIdKey(lead))
    const id = made?.id ?? known.get(providerIdKey(lead))?.id
    if (id === undefined || (!made && (await isAnotherLead(tx, id, lookup.source, things[index]!.old_id)))) {
      // Each lead source of a site counts for itself. Several leads are written alone first.
      if (lead.lead_s !== 'Other' || isSeparate || things.length > 1) throw sameNumberError()
      return writeLeads(tx, by, things, lookup, true)
    }
    written.push(made ? { id, kept } : { id, isOld: true })
  }
  return written
}

const sameNumberError = () => validationError({ lead_id: ['There already is a lead with this source and ID'] })

/** Whether a lead here has come from another lead of the old system. */
async function isAnotherLead(tx: Tx, id: number, system: string, old: string): Promise<boolean> {
  const { source, kind, row_id, old_id } = movedIdsTable
  const others = and(eq(kind, 'lead'), eq(row_id, id), eq(source, system), ne(old_id, old))
  return (await tx.$count(movedIdsTable, others)) > 0
}

type ReadLead = { lead: NewLead; changers: string[]; kept?: string }

async function writeChangers(tx: Tx, leads: readonly ReadLead[], created: ReadonlyMap<string, { id: number }>) {
  const rows = leads.flatMap(({ lead, changers }) => {
    const made = created.get(providerIdKey(lead))
    return made && changers.length > 0 ? { lead_id: made.id, usernames: changers } : []
  })
  if (rows.length > 0) await tx.insert(earlierChangersTable).values(rows).onConflictDoNothing()
}

/** Returns a lead as it is written. One that is `separate` from another of its number has that of the old system behind it. */
function toNewLead({ old_id, payload }: MovedThing, zone: string, lookup: MoveLookup, isSeparate: boolean): ReadLead {
  const { kept, keep } = createKeeper(payload)
  const day = readDay(payload, 'lead_date')
  if (day === null) throw validationError({ lead_date: [describeNoDay(payload)] })
  const campaign_id = lookup.findCampaign(payload)
  if (campaign_id === null && lookup.isCampaignPlanned(payload))
    throw validationError({ campaign_id: ['The campaign was not moved'] })
  const campaign = readReference(payload, 'campaign') ?? readText(payload, 'campaign_name')
  if (campaign_id === null && campaign !== null)
    kept.push(`The old system does not list its campaign (${cutText(campaign, 40)})`)
  const time = keep('lead_time', readTime(payload, 'lead_time'), 'is midnight') ?? '00:00'
  const text = (name: TextField) => readLeadText(payload, name, kept)
  const tags = readTags(payload, kept)
  const type = leadTypes.find((one) => one.toLowerCase() === readText(payload, 'lead_type')?.toLowerCase()) ?? null
  const lead_type = keep('lead_type', type, 'is Form') ?? 'Form'
  const clientsite_id = lookup.find('client_site', readReference(payload, 'clientsite'))
  const duration = keep('duration', readNumber(payload, 'duration'))
  const shownRating = keep('rating', readStep(payload, 'rating'))
  const isUnconfirmed = readFlag(payload, 'rating_unconfirmed')
  const contact = cleanContact({
    ...{ lead_name: text('lead_name'), lead_email: text('lead_email'), lead_phone: text('lead_phone') },
    message: text('message'),
  })
  const answered = payload.answered === null || payload.answered === undefined ? null : readFlag(payload, 'answered')
  const number = toLeadNumber(payload, lookup.source, old_id)
  const lead: NewLead = {
    ...contact,
    ...number,
    lead_id: isSeparate ? `${number.lead_id.slice(0, 180)}~${old_id}` : number.lead_id,
    company: number.lead_s === 'Callrail' ? anyCompany : undefined,
    origin: clientsite_id === null ? '' : siteOrigin(clientsite_id),
    hours: null,
    is_past: true,
    campaign_id: campaign_id ?? noCampaignId,
    clientsite_id,
    occurred_at: toInstant(day, time, zone),
    lead_type,
    lead_location: text('lead_location'),
    notes: text('notes'),
    duration: duration === null ? null : Math.round(duration),
    answered: lead_type === 'Call' ? answered : null,
    ...readAnswering(payload, tags, duration),
    recording_url: keep(
      'recording',
      readFlag(payload, 'recording') ? `${lookup.source}/api/recording/${old_id}` : null,
    ),
    tags: tags.map(({ tag }) => tag),
    moved: {
      hide: readFlag(payload, 'hide'),
      tag_causes: tags.flatMap(({ tag, because }) => (because === null ? [] : { tag, because })),
    },
    confirmed: readFlag(payload, 'confirmed'),
    archived: readFlag(payload, 'archived'),
    client_progress: keep('client_progress', readStep(payload, 'client_progress')),
    company_name: text('company_name'),
    client_notes: text('client_notes'),
    client_value: keep('client_value', readAmount(payload, 'client_value')),
    client_profit: keep('client_profit', readAmount(payload, 'client_profit')),
    rating: isUnconfirmed ? null : shownRating,
    unconfirmed_rating: isUnconfirmed ? shownRating : null,
    rating_via: shownRating === null || isUnconfirmed ? null : readRatingOrigin(payload),
    ...{
      last_url: text('last_url'),
      referrer: text('referrer'),
      source: text('source'),
      source_stated: text('source_stated'),
    },
    ...{ keywords: text('keywords'), gclid: text('gclid'), gbraid: text('gbraid'), wbraid: text('wbraid') },
    ...{ msclkid: text('msclkid'), fbclid: text('fbclid') },
    tracking_phone_number: text('tracking_phone_number'),
    tracking_source: text('tracking_source'),
    notify: payload.notify === undefined ? false : readFlag(payload, 'notify'),
    created_at: readMoment(payload, 'created_at') ?? undefined,
  }
  const changers = readRecords(payload, 'changers').flatMap((one) => readText(one, 'username') ?? [])
  return { lead, changers, ...(kept.length > 0 && { kept: kept.join('. ') }) }
}

type TextField = {
  [Name in keyof typeof leadFields]: (typeof leadFields)[Name] extends { kind: 'text' | 'longText' | 'phone' }
    ? Name
    : never
}[keyof typeof leadFields]

/** The longest that a field may be which has no form here. */
const mostCharacters = 2048

function readLeadText(row: Row, name: TextField, kept: string[]): string | null {
  const value = readText(row, name)
  if (value === null) return null
  const form: z.ZodType | undefined = (leadFields[name] as FieldDefinition).form
  const parsed = form?.safeParse(value)
  if (parsed ? parsed.success : value.length <= mostCharacters)
    return (parsed?.data as string | null | undefined) ?? (parsed ? null : value)
  kept.push(`${name} was left empty: ${parsed?.error?.issues[0]?.message ?? `At most ${mostCharacters} characters`}`)
  return null
}

function readTags(row: Row, kept: string[]): { tag: LeadTag; because: string | null }[] {
  return readRecords(row, 'tags').flatMap((one) => {
    const name = readText(one, 'name')
    const tag = leadTags.find((known) => known === name)
    if (tag) return { tag, because: readText(one, 'because') }
    if (name !== null) kept.push(`The tag ${name} is not known here`)
    return []
  })
}

/** What the provider said of a call is told by how the old system counts it. */
function readAnswering(
  row: Row,
  tags: readonly { tag: LeadTag }[],
  duration: number | null,
): { voicemail: boolean; call_type: string | null } {
  const status = readText(row, 'answering_status')
  const hasVoicemail = tags.some(({ tag }) => tag === 'Voicemail' || tag === 'Voicemail Issues')
  return {
    voicemail: hasVoicemail || (status === 'Unanswered' && (duration ?? 0) < 15),
    call_type: status === 'Abandoned' ? 'abandoned' : null,
  }
}

function readAmount(row: Row, name: string): number | null {
  const amount = readNumber(row, name)
  return amount !== null && amount >= 0 && amount < 10_000_000_000 ? Math.round(amount * 100) / 100 : null
}

/** One of five: stars, or the client's progress. 0 is none. */
function readStep(row: Row, name: string): number | null {
  const step = readNumber(row, name)
  return step !== null && step >= 1 && step <= 5 ? Math.round(step) : null
}

const describeNoDay = (row: Row): string => {
  const text = readText(row, 'lead_date')
  return text === null ? 'No date' : `The date ${cutText(text, 40)} is not understood`
}

const readRatingOrigin = (row: Row): 'link' | 'page' | 'staff' => {
  const via = readText(row, 'rating_via')
  return via === 'link' || via === 'page' ? via : 'staff'
}
