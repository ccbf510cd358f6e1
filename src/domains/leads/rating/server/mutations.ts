import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { BodyOf } from '#contract/endpoint.ts'
import { type Actor, difference, record } from '#core/audit/write-audit.ts'
import type { Db, Tx } from '#core/db/db.ts'
import { notLead } from '#domains/leads/labels.ts'
import { livesAt, lockLead } from '#domains/leads/model/lead-key.ts'
import { leads } from '#domains/leads/model/schema.ts'
import type { rating } from '../contract.ts'
import { ratingKeys, ratingSaves } from '../schema.ts'
import { findOpened } from './rated-lead.ts'
import { type Choice, judge, type LinkSave } from './scanner-burst.ts'

type Form = BodyOf<typeof rating.save>
type Lead = typeof leads.$inferSelect
type Feedback = Partial<
  Pick<
    Lead,
    'client_progress' | 'rating' | 'rating_via' | 'company_name' | 'client_notes' | 'client_value' | 'client_profit'
  >
>
type Visit = { address: string; user_agent: string | null }
type Asked = { leadId: string; key: string; form: Form; visit: Visit; actor: Actor }
type Saving = Omit<Asked, 'leadId' | 'key'> & { lead: Lead; keyId: number; now: Date }

/** Saves through one lead that count within an hour. */
const perHour = 20

/** Saves what came through a key; whoever saves for the same lead meanwhile takes their turn. */
export function saveFeedback(db: Db, asked: Asked): Promise<'saved' | 'not found' | 'too often'> {
  return db.transaction(async (tx) => {
    const opened = await findOpened(tx, asked.leadId, asked.key)
    if (!opened) return 'not found'
    const lead = await lockLead(tx, opened.leadId)
    if (!lead || lead.hide) return 'not found'
    const { now, counted } = await recently(tx, lead.id)
    if (counted >= perHour) return 'too often'
    const saving = { ...asked, lead, keyId: opened.keyId, now }
    const choice = choiceOf(asked.form)
    if (choice) await saveByLink(tx, saving, choice)
    else if (!asked.form.auto) await saveByPerson(tx, saving)
    return 'saved'
  })
}

/** The database's own clock, read after the wait for the lead, and how often this lead was changed in the last hour. */
async function recently(tx: Tx, leadId: number) {
  const found = await tx.execute<{ now: number; counted: number }>(sql`
    select extract(epoch from clock_timestamp())::float8 * 1000 as now, count(*)::int as counted from rating_saves
    where lead_id = ${leadId} and outcome = 'counted' and at > clock_timestamp() - interval '1 hour'`)
  const { now, counted } = found.rows[0]!
  return { now: new Date(now), counted }
}

/** What the page says by itself as it loads; null when a person presses Save. */
function choiceOf({ auto, trap, rating, progress }: Form): Choice | null {
  if (trap) return 'trap'
  if (!auto) return null
  return rating ?? (progress === notLead ? 'not_lead' : null)
}

/** A person's save always counts. A star that came by link is theirs from now on. */
async function saveByPerson(tx: Tx, saving: Saving) {
  const { lead, form } = saving
  const stars = form.rating === undefined ? undefined : form.rating === null ? null : Number(form.rating)
  const isSame = stars === lead.rating && lead.rating_via !== 'link'
  const given: Feedback = {
    client_progress: form.progress,
    company_name: form.company_name,
    client_notes: form.notes,
    client_value: form.value,
    client_profit: form.profit,
    ...(stars === undefined || isSame ? {} : { rating: stars, rating_via: stars === null ? null : 'page' }),
  }
  await note(tx, saving, { auto: false, choice: null, outcome: 'counted' })
  await change(tx, saving, given, 'page')
}

/** A load-time save counts at once; when it turns out to be a scanner's, it and what its burst did before are taken back. */
async function saveByLink(tx: Tx, saving: Saving, choice: Choice) {
  const { keyId, now } = saving
  const earlier: LinkSave[] = await tx
    .select()
    .from(ratingSaves)
    .where(and(eq(ratingSaves.key_id, keyId), eq(ratingSaves.auto, true)))
    .orderBy(desc(ratingSaves.at), desc(ratingSaves.id))
    .limit(100)
  const { byScanner, undo } = judge(earlier, choice, now)
  await note(tx, saving, { auto: true, choice, outcome: byScanner ? 'ignored' : 'counted' })
  if (!byScanner) return change(tx, saving, chosen(saving.lead, choice), 'link')
  await tx.update(ratingKeys).set({ scanned_at: now }).where(eq(ratingKeys.id, keyId))
  if (undo.length > 0) await takeBack(tx, saving, undo)
}

function chosen(lead: Lead, choice: Choice): Feedback {
  if (choice === 'not_lead') return { client_progress: notLead }
  const stars = Number(choice)
  return stars === lead.rating ? {} : { rating: stars, rating_via: 'link' }
}

/** Back to before the burst, but for what somebody else has said since. */
async function takeBack(tx: Tx, saving: Saving, undo: LinkSave[]) {
  const { lead } = saving
  const first = undo[0]!
  const ids = undo.map(({ id }) => id)
  await tx.update(ratingSaves).set({ outcome: 'undone' }).where(inArray(ratingSaves.id, ids))
  const choice = first.choice // a burst that counted has one choice; a second one makes it a scanner's
  const before: Feedback = {}
  if (choice === 'not_lead') {
    if (lead.client_progress === notLead && !(await personSavedSince(tx, lead.id, first.at)))
      before.client_progress = first.progress_before
  } else if (lead.rating_via === 'link' && lead.rating === Number(choice)) {
    before.rating = first.rating_before
    before.rating_via = first.via_before
  }
  await change(tx, saving, before, 'scanner, undone')
}

async function personSavedSince(tx: Tx, leadId: number, since: Date): Promise<boolean> {
  const theirs = and(eq(ratingSaves.lead_id, leadId), eq(ratingSaves.auto, false), gt(ratingSaves.at, since))
  return (await tx.$count(ratingSaves, theirs)) > 0
}

type Noted = Pick<typeof ratingSaves.$inferInsert, 'auto' | 'choice' | 'outcome'>
const note = (tx: Tx, { lead, keyId, now, visit }: Saving, noted: Noted) =>
  tx.insert(ratingSaves).values({
    ...noted,
    ...visit,
    key_id: keyId,
    lead_id: lead.id,
    campaign_id: lead.campaign_id,
    rating_before: lead.rating,
    progress_before: lead.client_progress,
    via_before: lead.rating_via,
    at: now,
  })

/** Writes what differs, raises the version, and leaves an entry without a person that says how it came. */
async function change(tx: Tx, { lead, actor }: Saving, given: Feedback, via: string) {
  const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Feedback // the rest of it
  const set = difference(lead, wanted).after as Feedback // fields of it
  if (Object.keys(set).length === 0) return
  const version = lead.version + 1
  await tx
    .update(leads)
    .set({ ...set, version })
    .where(livesAt(lead))
  await record(tx, actor, {
    kind: 'lead',
    rowId: lead.id,
    before: inWords(lead, set),
    after: { ...inWords(set, set), via },
    version,
  })
}

/** As the trail has it everywhere: a rating is text. */
const inWords = (from: Feedback, fields: Feedback) =>
  Object.fromEntries(
    Object.keys(fields).map((field) => {
      const value = from[field as keyof Feedback] ?? null // a key of the same shape
      return [field, field === 'rating' && value !== null ? String(value) : value]
    }),
  )
