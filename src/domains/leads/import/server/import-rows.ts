import { isDeepStrictEqual } from 'node:util'
import { inArray } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import type { AppContext } from '#domains/app-context.ts'
import { describeArchived } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { ImportDefinition, LineProblem } from '#domains/imports/public.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { findCorrected, isAnotherPerson, toOwnId } from '#domains/leads/intake/server/separate-people.ts'
import type { NewLead } from '#domains/leads/model/new-lead-row.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import {
  findTakenProviderIds,
  type LeadProviderId,
  numberKey,
  providerIdCondition,
  providerIdKey,
} from '#domains/leads/model/provider-ids.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { deleteUntouchedLeads, findBilledLeads, insertLeads } from '#domains/leads/model/store.ts'
import { type LeadCells, leadImportFields, parseLeadLine } from './import-line.ts'
import { type ImportTarget, ImportTargetFinder, importTargetFields, listTargetNames } from './import-sites.ts'
import { listMessageColumns, matchLeadColumns, readKnownLine } from './known-exports.ts'

type LeadImportRow = LeadProviderId & {
  cells: LeadCells
  place: ImportTarget
  occurred_at: Date
  /** The id that was made of a line without a contact before its other cells counted. */
  former_id: string | null
  /** The service that wrote the file. */
  from: string
}

const importedFields = [...leadImportFields.slice(0, 3), ...importTargetFields, ...leadImportFields.slice(3)]

/** Imports leads from a file: no client is mailed, and a lead that already exists stays as it is. */
export const leadImporter: ImportDefinition<LeadImportRow> = {
  fields: importedFields,
  atOnce: 500,
  matchColumns: (titles, values) => matchLeadColumns(importedFields, titles, values),
  listKeptColumns: listMessageColumns,
  listNames: listTargetNames,

  open: async ({ db, settings: { AGENCY_TIMEZONE: zone } }) => {
    const places = await ImportTargetFinder.of(db)
    const now = new Date()
    const first: FirstPeople = new Map()
    return (cells, whole) => {
      const known = readKnownLine(cells, whole)
      if ('wrong' in known) return known
      const line = known.cells
      const read = parseLeadLine(line, zone, now)
      const place = places.find(line)
      if ('wrong' in read || 'wrong' in place) {
        const misplaced = 'wrong' in place ? place.wrong : place.closed ? [place.closed] : []
        return { wrong: [...('wrong' in read ? read.wrong : []), ...misplaced] }
      }
      const lead_s = read.cells.lead_s ?? (read.cells.lead_type === 'Call' ? 'Callrail' : 'Formidable')
      const { occurred_at } = read
      const { lead_id } = read.cells
      const ids = lead_id === null ? makeLeadId(read.cells, place, occurred_at) : { lead_id, former_id: null }
      const row = { cells: read.cells, place, lead_s, ...ids, occurred_at, from: known.from }
      return { row, names: [providerIdKey(separateFromFirst(first, row))] }
    }
  },

  there: async (db, lines) => {
    const rows = await separateImportedPeople(db, lines)
    const known = await findTakenProviderIds(db, rows)
    return rows.map((row) => {
      if (known.has(numberKey(row))) return 'known' // whatever has become of its campaign
      return row.place.closed ? [row.place.closed] : 'fresh'
    })
  },

  write: (tx, { context }, rows) => writeImportedLeads(tx, context, rows),

  remove: async (tx, _, ids) => {
    const deleted = await deleteUntouchedLeads(tx, ids)
    await tx.update(inboundEventsTable).set({ lead_id: null }).where(inArray(inboundEventsTable.lead_id, deleted))
    const left = await tx
      .select({ id: leadsTable.id, version: leadsTable.version })
      .from(leadsTable)
      .where(inArray(leadsTable.id, ids))
    const billed = await findBilledLeads(tx, ids)
    const explain = ({ id, version }: (typeof left)[number]) => {
      if (version > 1) return leadChangedReason
      return billed.has(id) ? leadBilledReason : leadMailedReason
    }
    return new Map(left.map((lead) => [lead.id, explain(lead)]))
  },
}

/** Writes the leads that do not exist yet. Those that exist by now stay as they are; those of a campaign that was archived since are refused. */
export async function writeImportedLeads(
  tx: Tx,
  context: AppContext,
  lines: LeadImportRow[],
): Promise<({ id: number } | 'known' | LineProblem[])[]> {
  const rows = await separateImportedPeople(tx, lines)
  const closed = await lockClosedCampaigns(tx, rows)
  const open = rows.filter(({ place }) => !closed.has(place.campaign_id))
  const created = await insertLeads(tx, context.settings.AGENCY_TIMEZONE, open.map(toNewLead))
  return rows.map((row) => {
    const problem = closed.get(row.place.campaign_id)
    if (problem) return [problem]
    const lead = created.get(providerIdKey(row))
    return lead ? { id: lead.id } : 'known'
  })
}

/**
 * Gives a line an id of its own where only other people's leads have its id: every website counts its entries from 1. CallRail's ids are
 * never used twice, so a call at the same time is the same one.
 */
async function separateImportedPeople(db: DbOrTx, lines: LeadImportRow[]): Promise<LeadImportRow[]> {
  if (lines.length === 0) return []
  const rows = await keepFormerIds(db, lines)
  const { id, lead_s, lead_id, lead_name, lead_phone, lead_email, occurred_at } = leadsTable
  const found = await db
    .select({ id, lead_s, lead_id, lead_name, lead_phone, lead_email, occurred_at })
    .from(leadsTable)
    .where(providerIdCondition(rows))
  const byNumber = Map.groupBy(found, numberKey)
  const leadsOf = (row: LeadImportRow) => byNumber.get(numberKey(row)) ?? []
  const suspects = rows.filter(
    (row) => byNumber.has(numberKey(row)) && leadsOf(row).every((lead) => isOfAnother(lead, row)),
  )
  const leadIds = suspects.flatMap(leadsOf).map((lead) => lead.id)
  const corrected = await findCorrected(db, leadIds)
  const separate = new Set(suspects.filter((row) => !leadsOf(row).some((lead) => corrected.has(lead.id))))
  const first: FirstPeople = new Map()
  return rows.map((row) => {
    if (byNumber.has(numberKey(row))) return separate.has(row) ? giveOwnId(row) : row
    return separateFromFirst(first, row)
  })
}

/** A line has its former id where the lead with that is the same one. The message of a form may have been edited since. */
async function keepFormerIds(db: DbOrTx, rows: LeadImportRow[]): Promise<LeadImportRow[]> {
  const toFormer = ({ lead_s, former_id }: LeadImportRow) => ({ lead_s, lead_id: former_id ?? '' })
  const former = rows.filter(({ former_id }) => former_id !== null)
  if (former.length === 0) return rows
  const { lead_s, lead_id, lead_type, duration, message, tracking_phone_number, erased_at, version } = leadsTable
  const found = await db
    .select({ lead_s, lead_id, lead_type, duration, message, tracking_phone_number, erased_at, version })
    .from(leadsTable)
    .where(providerIdCondition(former.map(toFormer)))
  const byNumber = new Map(found.map((lead) => [numberKey(lead), lead]))
  return rows.map((row) => {
    const lead = byNumber.get(numberKey(toFormer(row)))
    const isChanged = lead && (lead.erased_at || (lead.lead_type === 'Form' && lead.version > 1))
    const isSame = lead && (isChanged || isDeepStrictEqual(getOtherCells(lead), getOtherCells(row.cells)))
    return isSame ? { ...row, ...toFormer(row) } : row
  })
}

type Person = Pick<typeof leadsTable.$inferSelect, 'lead_name' | 'lead_phone' | 'lead_email' | 'occurred_at'>
/** Who has had an id first in a file, by `numberKey`. */
type FirstPeople = Map<string, Person>

/** Gives a line an id of its own where an earlier one has its id for another person: a file may be of several websites. */
function separateFromFirst(first: FirstPeople, row: LeadImportRow): LeadImportRow {
  const { lead_name, lead_phone, lead_email } = row.cells
  const before = first.get(numberKey(row))
  if (before) return isOfAnother(before, row) ? giveOwnId(row) : row
  first.set(numberKey(row), { lead_name, lead_phone, lead_email, occurred_at: row.occurred_at })
  return row
}

const isOfAnother = (one: Person, { lead_s, cells, occurred_at }: LeadImportRow) =>
  isAnotherPerson(one, cells) && (lead_s !== 'Callrail' || +one.occurred_at !== +occurred_at)

const giveOwnId = (row: LeadImportRow) => ({ ...row, lead_id: toOwnId(row.lead_id, row.cells) })

/** Returns why campaigns take no leads by now. None is archived before these leads are written. */
async function lockClosedCampaigns(tx: Tx, rows: LeadImportRow[]): Promise<Map<number, LineProblem>> {
  const { id, name, archived } = campaignsTable
  const ids = [...new Set(rows.map(({ place }) => place.campaign_id))]
  const found = await tx
    .select({ id, name, archived })
    .from(campaignsTable)
    .where(inArray(id, ids))
    .orderBy(id)
    .for('share')
  return new Map(
    found.flatMap((one) =>
      one.archived ? [[one.id, { field: 'campaign', says: describeArchived(one) }] as const] : [],
    ),
  )
}

const leadChangedReason = 'Someone has changed this lead since'
const leadBilledReason = 'This lead is on a statement'
const leadMailedReason = 'The client was emailed about this lead'

/**
 * Derives an id from date, contact and campaign, so that a repeated line is the same lead. Callers who withhold their numbers have no contact:
 * what else they have tells them apart.
 */
function makeLeadId(cells: LeadCells, place: ImportTarget, when: Date): Pick<LeadImportRow, 'lead_id' | 'former_id'> {
  const { lead_name, lead_phone, lead_email } = cells
  const who = [lead_name?.toLowerCase(), toPhoneKey(lead_phone), lead_email?.toLowerCase()]
  const make = (...more: string[]) =>
    `import-${hashSha256(JSON.stringify([when, who, place.campaign_id, ...more]))
      .toString('hex')
      .slice(0, 32)}`
  const others = getOtherCells(cells)
  return who.some(Boolean) || !others.some(Boolean)
    ? { lead_id: make(), former_id: null }
    : { lead_id: make(...others), former_id: make() }
}

/** What tells leads without a contact apart. The message of a call may be written later. */
function getOtherCells(
  lead: Pick<LeadCells, 'lead_type' | 'duration' | 'message' | 'tracking_phone_number'>,
): string[] {
  const { lead_type, duration, message, tracking_phone_number } = lead
  return [String((lead_type === 'Call' ? duration : message) ?? ''), toPhoneKey(tracking_phone_number) ?? '']
}

/** Uses the file's tags; a file without tags leaves them to the rules for incoming leads. */
function toNewLead({ cells, place, lead_s, lead_id, occurred_at, from }: LeadImportRow): NewLead {
  const { lead_date: _, lead_time: __, recording, tags, spam, ...lead } = cells
  return {
    ...lead,
    ...(tags && { tags: spam ? [...new Set([...tags, 'Spam' as const])] : tags }),
    ...(spam && { spam_flagged_by: from, hide: true }),
    lead_s,
    lead_id,
    answered: lead.lead_type === 'Call' ? lead.answered : null,
    recording_url: recording,
    occurred_at,
    campaign_id: place.campaign_id,
    clientsite_id: place.clientsite_id,
    hours: place.hours,
    rating_via: lead.rating === null ? null : 'staff',
    notify: false,
  }
}
