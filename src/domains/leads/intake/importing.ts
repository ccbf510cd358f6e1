import { and, eq, inArray, notExists, sql } from 'drizzle-orm'
import { refreshAllFirstCalls } from '#domains/leads/first-call.ts'
import { instantOf } from '#domains/leads/local-time.ts'
import { mails } from '#domains/leads/mails/table.ts'
import { phoneKey } from '#domains/leads/phone.ts'
import { refreshShared, sharedKeys } from '#domains/leads/shared.ts'
import { spamSigns } from '#domains/leads/spam/match.ts'
import { leads } from '#domains/leads/table.ts'
import type { Queries, Tx } from '#server/db.ts'
import type { House } from '#server/house.ts'
import type { Importable } from '#server/imports/importable.ts'
import { autoTags, isSpam } from './auto-tags.ts'
import { type LeadCells, leadFields, readCells } from './import-line.ts'
import { type Place, Places, placeFields } from './import-places.ts'

type Good = { cells: LeadCells; place: Place; lead_s: 'Callrail' | 'Formidable' }

/** Leads from a file: nobody is mailed, and what is there already stays as it is. */
export const leadsImport: Importable<Good> = {
  fields: [...leadFields.slice(0, 3), ...placeFields, ...leadFields.slice(3)],
  atOnce: 500,

  open: async ({ db }) => {
    const places = await Places.of(db)
    return (line) => {
      const read = readCells(line)
      const place = places.find(line)
      if ('wrong' in read || 'wrong' in place)
        return { wrong: [...('wrong' in read ? read.wrong : []), ...('wrong' in place ? place.wrong : [])] }
      const { cells } = read
      const lead_s = cells.lead_s ?? (cells.lead_type === 'Call' ? 'Callrail' : 'Formidable')
      const row = { cells, place, lead_s } as const
      return { row, names: [nameOf(row)] }
    }
  },

  there: async (db, rows) => {
    const known = await namesThere(db, rows)
    return rows.map((row) => (known.has(nameOf(row)) ? 'known' : 'fresh'))
  },

  write: (tx, { house }, rows) => writeLeads(tx, house, rows),

  remove: async (tx, _, ids) => {
    const gone = await tx
      .delete(leads)
      .where(and(inArray(leads.id, ids), eq(leads.version, 1), notExists(mailsOf(tx))))
      .returning({ id: leads.id, campaign_id: leads.campaign_id, ...sharedKeys })
    await refreshAllFirstCalls(tx, gone)
    await refreshShared(tx, gone)
    const left = await tx.select({ id: leads.id, version: leads.version }).from(leads).where(inArray(leads.id, ids))
    return new Map(left.map(({ id, version }) => [id, version === 1 ? wasMailed : wasChanged]))
  },
}

/** What is there already stays as it is, also what has come in since the file was read. */
export async function writeLeads(tx: Tx, house: House, rows: Good[]): Promise<({ id: number } | 'known')[]> {
  const people = rows.map(({ cells }) => ({ phoneKey: phoneKey(cells.lead_phone), email: cells.lead_email }))
  const signsOf = await spamSigns(tx, people)
  const made = await tx
    .insert(leads)
    .values(rows.map((one) => rowOf(one, house.settings.AGENCY_TIMEZONE, signsOf)))
    .onConflictDoNothing({ target: [leads.lead_s, leads.lead_id] })
    .returning({
      id: leads.id,
      lead_s: leads.lead_s,
      lead_id: leads.lead_id,
      campaign_id: leads.campaign_id,
      ...sharedKeys,
    })
  await refreshAllFirstCalls(tx, made)
  await refreshShared(tx, made)
  const ids = new Map(made.map(({ id, lead_s, lead_id }) => [`${lead_s} ${lead_id}`, id]))
  return rows.map((row) => {
    const id = ids.get(nameOf(row))
    return id === undefined ? 'known' : { id }
  })
}

const wasChanged = 'Somebody has changed this lead since'
const wasMailed = 'The client was mailed about this lead'
const mailsOf = (tx: Tx) => tx.select({ id: mails.id }).from(mails).where(eq(mails.lead_id, leads.id))

const nameOf = ({ lead_s, cells }: Good) => `${lead_s} ${cells.lead_id}`

async function namesThere(db: Queries, lines: Good[]): Promise<Set<string>> {
  const asked = JSON.stringify(lines.map(({ lead_s, cells }) => ({ lead_s, lead_id: cells.lead_id })))
  const found = await db.execute<{ name: string }>(sql`
    select lead_s || ' ' || lead_id as name from leads
    where (lead_s, lead_id) in (select lead_s, lead_id from json_to_recordset(${asked}) one (lead_s text, lead_id text))`)
  return new Set(found.rows.map(({ name }) => name))
}

/** Tags that the file gives are taken as they are; a file that gives none leaves them to the rules for what comes in. */
function rowOf(
  { cells, place, lead_s }: Good,
  zone: string,
  signsOf: Awaited<ReturnType<typeof spamSigns>>,
): typeof leads.$inferInsert {
  const { lead_date, lead_time, recording, tags, ...as } = cells
  const isCall = as.lead_type === 'Call'
  const phone_key = phoneKey(as.lead_phone)
  const occurred_at = instantOf(lead_date, lead_time, zone)
  const lead = { ...as, answered: isCall ? as.answered : null, recording_url: recording, occurred_at }
  const causes = tags === undefined ? autoTags(lead, signsOf(phone_key, as.lead_email), place.hours) : []
  return {
    ...lead,
    lead_s,
    phone_key,
    campaign_id: place.campaign_id,
    clientsite_id: place.clientsite_id,
    tags: tags ?? causes.map(({ tag }) => tag),
    tag_causes: causes,
    hide: as.hide || isSpam(causes),
    rating_via: as.rating === null ? null : 'staff',
    notify: false,
  }
}
