import { and, eq, inArray, notExists } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { toInstant } from '#core/time/local-time.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { ImportDefinition } from '#domains/imports/public.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { computeAutoTags, hasSpamTag } from '#domains/leads/intake/server/auto-tags.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { duplicateKeyColumns, refreshDuplicates } from '#domains/leads/model/duplicates.ts'
import { refreshAllFirstCalls } from '#domains/leads/model/first-call.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import {
  findTakenProviderIds,
  type LeadProviderId,
  lockProviderIds,
  providerIdKey,
} from '#domains/leads/model/provider-ids.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { findSpamSigns } from '#domains/leads/spam/server/spam-match.ts'
import { type LeadCells, leadImportFields, parseLeadCells } from './import-line.ts'
import { type ImportTarget, ImportTargetFinder, importTargetFields } from './import-sites.ts'

type LeadImportRow = { cells: LeadCells; place: ImportTarget; lead_s: 'Callrail' | 'Formidable' }

/** Leads from a file: nobody is mailed, and what is there already stays as it is. */
export const leadImporter: ImportDefinition<LeadImportRow> = {
  fields: [...leadImportFields.slice(0, 3), ...importTargetFields, ...leadImportFields.slice(3)],
  atOnce: 500,

  open: async ({ db }) => {
    const places = await ImportTargetFinder.of(db)
    return (line) => {
      const read = parseLeadCells(line)
      const place = places.find(line)
      if ('wrong' in read || 'wrong' in place)
        return { wrong: [...('wrong' in read ? read.wrong : []), ...('wrong' in place ? place.wrong : [])] }
      const { cells } = read
      const lead_s = cells.lead_s ?? (cells.lead_type === 'Call' ? 'Callrail' : 'Formidable')
      const row = { cells, place, lead_s } as const
      return { row, names: [providerIdKey(toProviderId(row))] }
    }
  },

  there: async (db, rows) => {
    const known = await findTakenProviderIds(db, rows.map(toProviderId))
    return rows.map((row) => (known.has(providerIdKey(toProviderId(row))) ? 'known' : 'fresh'))
  },

  write: (tx, { context }, rows) => writeImportedLeads(tx, context, rows),

  remove: async (tx, _, ids) => {
    const gone = await tx
      .delete(leadsTable)
      .where(and(inArray(leadsTable.id, ids), eq(leadsTable.version, 1), notExists(leadMailsQuery(tx))))
      .returning({ id: leadsTable.id, campaign_id: leadsTable.campaign_id, ...duplicateKeyColumns })
    await refreshAllFirstCalls(tx, gone)
    await refreshDuplicates(tx, gone)
    const ofThem = inArray(
      inboundEventsTable.lead_id,
      gone.map(({ id }) => id),
    )
    await tx.update(inboundEventsTable).set({ lead_id: null }).where(ofThem)
    const left = await tx
      .select({ id: leadsTable.id, version: leadsTable.version })
      .from(leadsTable)
      .where(inArray(leadsTable.id, ids))
    return new Map(left.map(({ id, version }) => [id, version === 1 ? leadMailedReason : leadChangedReason]))
  },
}

/** What is there already stays as it is, also what has come in since the file was read. */
export async function writeImportedLeads(
  tx: Tx,
  context: AppContext,
  rows: LeadImportRow[],
): Promise<({ id: number } | 'known')[]> {
  await lockProviderIds(tx, rows.map(toProviderId))
  const known = await findTakenProviderIds(tx, rows.map(toProviderId))
  const fresh = rows.filter((row) => {
    const name = providerIdKey(toProviderId(row))
    return known.has(name) ? false : known.add(name)
  })
  const made = await insertImportedLeads(tx, context, fresh)
  await refreshAllFirstCalls(tx, made)
  await refreshDuplicates(tx, made)
  const ids = new Map(made.map((lead) => [providerIdKey(lead), lead.id]))
  return rows.map((row) => {
    const id = ids.get(providerIdKey(toProviderId(row)))
    return id === undefined ? 'known' : { id }
  })
}

async function insertImportedLeads(tx: Tx, context: AppContext, rows: LeadImportRow[]) {
  if (rows.length === 0) return []
  const people = rows.map(({ cells }) => ({ phoneKey: toPhoneKey(cells.lead_phone), email: cells.lead_email }))
  const signsOf = await findSpamSigns(tx, people)
  const { id, lead_s, lead_id, campaign_id } = leadsTable
  return tx
    .insert(leadsTable)
    .values(rows.map((one) => toLeadInsert(one, context.settings.AGENCY_TIMEZONE, signsOf)))
    .returning({ id, lead_s, lead_id, campaign_id, ...duplicateKeyColumns })
}

const leadChangedReason = 'Somebody has changed this lead since'
const leadMailedReason = 'The client was mailed about this lead'
const leadMailsQuery = (tx: Tx) =>
  tx
    .select({ id: mailsTable.id })
    .from(mailsTable)
    .where(and(eq(mailsTable.lead_id, leadsTable.id), eq(mailsTable.campaign_id, leadsTable.campaign_id)))

const toProviderId = ({ lead_s, cells }: LeadImportRow): LeadProviderId => ({ lead_s, lead_id: cells.lead_id })

/** Tags that the file gives are taken as they are; a file that gives none leaves them to the rules for what comes in. */
function toLeadInsert(
  { cells, place, lead_s }: LeadImportRow,
  zone: string,
  signsOf: Awaited<ReturnType<typeof findSpamSigns>>,
): typeof leadsTable.$inferInsert {
  const { lead_date, lead_time, recording, tags, ...as } = cells
  const isCall = as.lead_type === 'Call'
  const phone_key = toPhoneKey(as.lead_phone)
  const occurred_at = toInstant(lead_date, lead_time, zone)
  const lead = { ...as, answered: isCall ? as.answered : null, recording_url: recording, occurred_at }
  const causes = tags === undefined ? computeAutoTags(lead, signsOf(phone_key, as.lead_email), place.hours) : []
  return {
    ...lead,
    lead_s,
    phone_key,
    campaign_id: place.campaign_id,
    clientsite_id: place.clientsite_id,
    tags: tags ?? causes.map(({ tag }) => tag),
    tag_causes: causes,
    hide: as.hide || hasSpamTag(causes),
    rating_via: as.rating === null ? null : 'staff',
    notify: false,
  }
}
