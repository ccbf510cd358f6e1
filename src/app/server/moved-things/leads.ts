import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { FieldDefinition } from '#contract/field-definitions.ts'
import type { Tx } from '#core/db/db.ts'
import { validationError } from '#core/http/errors.ts'
import { toInstant } from '#core/time/local-time.ts'
import { leadFields } from '#domains/leads/fields.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { type LeadTag, leadTags, leadTypes, noCampaignId } from '#domains/leads/labels.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'
import type { NewLead } from '#domains/leads/model/new-lead-row.ts'
import { findKnownLeads, providerIdKey, siteOrigin } from '#domains/leads/model/provider-ids.ts'
import { earlierChangersTable, leadsTable } from '#domains/leads/model/schema.ts'
import { deleteUntouchedLeads, insertLeads } from '#domains/leads/model/store.ts'
import {
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
  toLeadNumber,
} from '#domains/moves/public.ts'

type Row = Record<string, unknown>

/** A lead with its verdict, tags, progress, rating and notes. One that is here already stays as it is. No one is mailed. */
export const movedLead: KindWriter = {
  write: async (tx, by, thing, lookup) => (await writeLeads(tx, by, [thing], lookup))[0]!,

  writeMany: (tx, by, things, lookup) => writeLeads(tx, by, things, lookup),

  remove: async (tx, _, id) => {
    const deleted = await deleteUntouchedLeads(tx, [id])
    if (deleted.length === 0) {
      const left = await tx.$count(leadsTable, eq(leadsTable.id, id))
      return left > 0 ? changedReason : null
    }
    await tx.delete(earlierChangersTable).where(eq(earlierChangersTable.lead_id, id))
    await tx.update(inboundEventsTable).set({ lead_id: null }).where(eq(inboundEventsTable.lead_id, id))
    return null
  },
}

type MovedThing = { old_id: string; payload: Row }

async function writeLeads(tx: Tx, { context }: MoveCaller, things: readonly MovedThing[], lookup: MoveLookup) {
  const zone = context.settings.AGENCY_TIMEZONE
  const leads = things.map((thing) => toNewLead(thing, zone, lookup))
  const created = await insertLeads(
    tx,
    zone,
    leads.map(({ lead }) => lead),
  )
  const numbers = leads.map(({ lead }) => ({
    ...{ lead_s: lead.lead_s, lead_id: lead.lead_id, origin: lead.origin ?? '' },
    ...{ campaign_id: lead.campaign_id ?? noCampaignId, clientsite_id: lead.clientsite_id ?? null },
  }))
  await writeChangers(tx, leads, created)
  const known = created.size < leads.length ? await findKnownLeads(tx, numbers) : new Map()
  return leads.map(({ lead, kept }) => {
    const made = created.get(providerIdKey(lead))
    if (made) return { id: made.id, kept }
    const here = known.get(providerIdKey(lead))
    if (!here) throw validationError({ lead_id: ['There already is a lead with this source and ID'] })
    return { id: here.id, isOld: true }
  })
}

type ReadLead = { lead: NewLead; changers: string[]; kept?: string }

async function writeChangers(tx: Tx, leads: readonly ReadLead[], created: ReadonlyMap<string, { id: number }>) {
  const rows = leads.flatMap(({ lead, changers }) => {
    const made = created.get(providerIdKey(lead))
    return made && changers.length > 0 ? { lead_id: made.id, usernames: changers } : []
  })
  if (rows.length > 0) await tx.insert(earlierChangersTable).values(rows).onConflictDoNothing()
}

function toNewLead({ old_id, payload }: MovedThing, zone: string, lookup: MoveLookup): ReadLead {
  const kept: string[] = []
  const day = readDay(payload, 'lead_date')
  if (day === null) throw validationError({ lead_date: ['No date'] })
  const [time] = /^([01]\d|2[0-3]):[0-5]\d/.exec(readText(payload, 'lead_time') ?? '') ?? ['00:00']
  const text = (name: TextField) => readLeadText(payload, name, kept)
  const tags = readTags(payload, kept)
  const lead_type =
    leadTypes.find((one) => one.toLowerCase() === readText(payload, 'lead_type')?.toLowerCase()) ?? 'Form'
  const clientsite_id = lookup.find('client_site', readReference(payload, 'clientsite'))
  const duration = readNumber(payload, 'duration')
  const rating = readNumber(payload, 'rating')
  const isUnconfirmed = readFlag(payload, 'rating_unconfirmed')
  const progress = readNumber(payload, 'client_progress')
  const contact = cleanContact({
    ...{ lead_name: text('lead_name'), lead_email: text('lead_email'), lead_phone: text('lead_phone') },
    message: text('message'),
  })
  const answered = payload.answered === null || payload.answered === undefined ? null : readFlag(payload, 'answered')
  const shownRating = rating !== null && rating >= 1 && rating <= 5 ? Math.round(rating) : null
  const lead: NewLead = {
    ...contact,
    ...toLeadNumber(payload, lookup.source, old_id),
    origin: clientsite_id === null ? '' : siteOrigin(clientsite_id),
    hours: null,
    is_past: true,
    campaign_id: lookup.findCampaign(payload) ?? noCampaignId,
    clientsite_id,
    occurred_at: toInstant(day, time, zone),
    lead_type,
    lead_location: text('lead_location'),
    notes: text('notes'),
    duration: duration === null ? null : Math.round(duration),
    answered: lead_type === 'Call' ? answered : null,
    ...readAnswering(payload, tags, duration),
    recording_url: readFlag(payload, 'recording') ? `${lookup.source}/api/recording/${old_id}` : null,
    tags: tags.map(({ tag }) => tag),
    moved: {
      hide: readFlag(payload, 'hide'),
      tag_causes: tags.flatMap(({ tag, because }) => (because === null ? [] : { tag, because })),
    },
    confirmed: readFlag(payload, 'confirmed'),
    archived: readFlag(payload, 'archived'),
    client_progress: progress !== null && progress >= 1 && progress <= 5 ? Math.round(progress) : null,
    company_name: text('company_name'),
    client_notes: text('client_notes'),
    client_value: readAmount(payload, 'client_value'),
    client_profit: readAmount(payload, 'client_profit'),
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

const readRatingOrigin = (row: Row): 'link' | 'page' | 'staff' => {
  const via = readText(row, 'rating_via')
  return via === 'link' || via === 'page' ? via : 'staff'
}
