import { and, eq, inArray, notExists } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import type { Tx } from '#core/db/db.ts'
import { instantOf } from '#core/time/local-time.ts'
import type { Importable } from '#domains/imports/server/importable.ts'
import { inboundEvents } from '#domains/leads/intake/schema.ts'
import { autoTags, isSpam } from '#domains/leads/intake/server/auto-tags.ts'
import { mails } from '#domains/leads/mail/schema.ts'
import { refreshShared, sharedKeys } from '#domains/leads/model/duplicates.ts'
import { refreshAllFirstCalls } from '#domains/leads/model/first-call.ts'
import { phoneKey } from '#domains/leads/model/phone-key.ts'
import { holdNames, type Name, nameOf, namesTaken } from '#domains/leads/model/provider-ids.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { spamSigns } from '#domains/leads/spam/server/spam-match.ts'
import { type LeadCells, leadFields, readCells } from './import-line.ts'
import { type Place, Places, placeFields } from './import-sites.ts'

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
      return { row, names: [nameOf(asNamed(row))] }
    }
  },

  there: async (db, rows) => {
    const known = await namesTaken(db, rows.map(asNamed))
    return rows.map((row) => (known.has(nameOf(asNamed(row))) ? 'known' : 'fresh'))
  },

  write: (tx, { house }, rows) => writeLeads(tx, house, rows),

  remove: async (tx, _, ids) => {
    const gone = await tx
      .delete(leads)
      .where(and(inArray(leads.id, ids), eq(leads.version, 1), notExists(mailsOf(tx))))
      .returning({ id: leads.id, campaign_id: leads.campaign_id, ...sharedKeys })
    await refreshAllFirstCalls(tx, gone)
    await refreshShared(tx, gone)
    const ofThem = inArray(
      inboundEvents.lead_id,
      gone.map(({ id }) => id),
    )
    await tx.update(inboundEvents).set({ lead_id: null }).where(ofThem)
    const left = await tx.select({ id: leads.id, version: leads.version }).from(leads).where(inArray(leads.id, ids))
    return new Map(left.map(({ id, version }) => [id, version === 1 ? wasMailed : wasChanged]))
  },
}

/** What is there already stays as it is, also what has come in since the file was read. */
export async function writeLeads(tx: Tx, house: House, rows: Good[]): Promise<({ id: number } | 'known')[]> {
  await holdNames(tx, rows.map(asNamed))
  const known = await namesTaken(tx, rows.map(asNamed))
  const fresh = rows.filter((row) => {
    const name = nameOf(asNamed(row))
    return known.has(name) ? false : known.add(name)
  })
  const made = await insert(tx, house, fresh)
  await refreshAllFirstCalls(tx, made)
  await refreshShared(tx, made)
  const ids = new Map(made.map((lead) => [nameOf(lead), lead.id]))
  return rows.map((row) => {
    const id = ids.get(nameOf(asNamed(row)))
    return id === undefined ? 'known' : { id }
  })
}

async function insert(tx: Tx, house: House, rows: Good[]) {
  if (rows.length === 0) return []
  const people = rows.map(({ cells }) => ({ phoneKey: phoneKey(cells.lead_phone), email: cells.lead_email }))
  const signsOf = await spamSigns(tx, people)
  const { id, lead_s, lead_id, campaign_id } = leads
  return tx
    .insert(leads)
    .values(rows.map((one) => rowOf(one, house.settings.AGENCY_TIMEZONE, signsOf)))
    .returning({ id, lead_s, lead_id, campaign_id, ...sharedKeys })
}

const wasChanged = 'Somebody has changed this lead since'
const wasMailed = 'The client was mailed about this lead'
const mailsOf = (tx: Tx) =>
  tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.lead_id, leads.id), eq(mails.campaign_id, leads.campaign_id)))

const asNamed = ({ lead_s, cells }: Good): Name => ({ lead_s, lead_id: cells.lead_id })

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
