import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { BodyOf } from '#contract/endpoint.ts'
import { type AuditActor, diffFields } from '#core/audit/write-audit.ts'
import { type Db, runTransaction, type Tx } from '#core/db/db.ts'
import { followClientProgress, withdrawDispute } from '#domains/billing/public.ts'
import { notLeadProgress } from '#domains/leads/labels.ts'
import { lockCampaignClient } from '#domains/leads/model/client-moves.ts'
import { type StoredLead, toRatingFields } from '#domains/leads/model/dto.ts'
import { type LockedLead, lockLead, updateLead } from '#domains/leads/model/store.ts'
import type { RatedLead, ratingContract } from '../contract.ts'
import { ratingKeysTable, ratingSavesTable } from '../schema.ts'
import { findLeadByKey, readOwnDispute } from './rated-lead.ts'
import { choosingMs, judgeLink, type LinkChoice, type LinkJudgment, type LinkSave } from './scanner-burst.ts'

type FeedbackForm = BodyOf<typeof ratingContract.save>
type FeedbackColumns = Partial<
  Pick<
    StoredLead,
    | 'client_progress'
    | 'rating'
    | 'rating_via'
    | 'unconfirmed_rating'
    | 'company_name'
    | 'client_notes'
    | 'client_value'
    | 'client_profit'
  >
>
type LinkVisit = { address: string; user_agent: string | null }
type FeedbackRequest = {
  leadId: string
  key: string
  form: FeedbackForm
  visit: LinkVisit
  actor: AuditActor
  /** The agency's time zone. */
  zone: string
}
type FeedbackSave = Omit<FeedbackRequest, 'leadId' | 'key'> & {
  lead: LockedLead
  keyId: number
  sentAt: Date
  now: Date
}

/** Scanners open a mail when it arrives, and some open only one of its links. */
const scannerSeconds = 60

/** The most counted saves per lead and hour. */
const maxSavesPerHour = 20

/** Saves the feedback through a key. Concurrent saves of one lead take turns. */
export function saveFeedback(
  db: Db,
  request: FeedbackRequest,
): Promise<{ dispute: RatedLead['dispute'] } | 'not found' | 'too often' | { lostBy: number; leadId: number }> {
  return runTransaction(db, async (tx) => {
    const found = await findLeadByKey(tx, request.leadId, request.key)
    const lead = found && (await lockLead(tx, found.leadId))
    if (lead) await lockCampaignClient(tx, lead.row.campaign_id)
    // The lead, or its campaign, may have gone to another client during the wait for these locks, or the lead may have been hidden.
    const opened = lead && (await findLeadByKey(tx, request.leadId, request.key))
    if (!opened) return 'not found'
    if ('lostBy' in opened) return opened
    const { now, counted } = await countRecentSaves(tx, lead.row.id)
    if (counted >= maxSavesPerHour) return 'too often'
    const saving = { ...request, lead, keyId: opened.keyId, sentAt: opened.sentAt, now }
    const choice = getLinkChoice(request.form)
    if (request.form.seen) await confirmRating(tx, saving)
    else if (choice) await saveByLink(tx, saving, choice)
    else if (!request.form.auto) await saveByVisitor(tx, saving)
    return { dispute: await readOwnDispute(tx, lead.row, request.zone) }
  })
}

/** Returns the database time after the wait for the lead's lock, and the number of counted saves in the last hour. */
async function countRecentSaves(tx: Tx, leadId: number) {
  const found = await tx.execute<{ now: number; counted: number }>(sql`
    select extract(epoch from clock_timestamp())::float8 * 1000 as now, count(*)::int as counted from rating_saves
    where lead_id = ${leadId} and outcome = 'counted' and at > clock_timestamp() - interval '1 hour'`)
  const { now, counted } = found.rows[0]!
  return { now: new Date(now), counted }
}

/** Returns the choice that the page saves on load; null if a person clicks Save. */
function getLinkChoice({ auto, trap, rating, progress }: FeedbackForm): LinkChoice | null {
  if (trap) return 'trap'
  if (!auto) return null
  return rating ?? (progress === notLeadProgress ? 'not_lead' : null)
}

/** Saves a person's feedback, which always counts. A star from a link becomes theirs. */
async function saveByVisitor(tx: Tx, saving: FeedbackSave) {
  const { form } = saving
  const lead = saving.lead.row
  const stars = form.rating === undefined ? undefined : form.rating === null ? null : Number(form.rating)
  const isSame = stars === lead.rating && lead.rating_via !== 'link' && lead.unconfirmed_rating === null
  const given: FeedbackColumns = {
    client_progress: form.progress,
    company_name: form.company_name,
    client_notes: form.notes,
    client_value: form.value,
    client_profit: form.profit,
    ...(stars === undefined || isSame
      ? {}
      : {
          rating: stars,
          rating_via: stars === null ? null : 'page',
          unconfirmed_rating: null,
        }),
  }
  await insertSaveEntry(tx, saving, { auto: false, choice: null, reason: form.reason ?? null, outcome: 'counted' })
  await updateRatedLead(tx, saving, given, 'page')
  await followProgress(tx, saving, given, 'page')
}

/** Saves a load-time choice, which counts at once. If it turns out to be a scanner's, it is ignored and its burst is undone. */
async function saveByLink(tx: Tx, saving: FeedbackSave, choice: LinkChoice) {
  const { keyId, now } = saving
  const earlier = await readLinkSaves(tx, keyId)
  const confirmedAt = await readConfirmation(tx, saving)
  const verdict = judgeLink(earlier, choice, { now, confirmedAt })
  const { byScanner, undo } = verdict
  await insertSaveEntry(tx, saving, { auto: true, choice, outcome: byScanner ? 'ignored' : 'counted' })
  if (!byScanner) {
    const given = toFeedbackColumns(saving, choice, { ...verdict, isConfirmed: confirmedAt !== null })
    await updateRatedLead(tx, saving, given, 'link')
    return followProgress(tx, saving, given, 'mail')
  }
  await tx.update(ratingKeysTable).set({ scanned_at: now }).where(eq(ratingKeysTable.id, keyId))
  if (undo.length > 0) await undoBurst(tx, saving, undo)
}

/** Returns what the links of a mail saved, the latest first. */
const readLinkSaves = (tx: Tx, keyId: number): Promise<LinkSave[]> =>
  tx
    .select()
    .from(ratingSavesTable)
    .where(and(eq(ratingSavesTable.key_id, keyId), eq(ratingSavesTable.auto, true)))
    .orderBy(desc(ratingSavesTable.at), desc(ratingSavesTable.id))
    .limit(100)

function toFeedbackColumns(
  { lead: { row }, sentAt, now }: FeedbackSave,
  choice: LinkChoice,
  { recent, isDoubtful, isConfirmed }: LinkJudgment & { isConfirmed: boolean },
): FeedbackColumns {
  if (choice === 'not_lead') return { client_progress: notLeadProgress }
  const stars = Number(choice)
  if (isDoubtful) return toDoubtfulRating(row, stars, recent)
  const isRepeated = recent.length > 0
  const isEarly = now.getTime() - sentAt.getTime() <= scannerSeconds * 1000
  if (!isConfirmed && (isRepeated || !isEarly)) return toConfirmedRating(row, stars)
  return { unconfirmed_rating: stars === row.rating ? null : stars }
}

/** Two different stars: the rating is what it was before them, and the later one is shown until a person confirms one. */
function toDoubtfulRating(row: StoredLead, stars: number, recent: readonly LinkSave[]): FeedbackColumns {
  const first = recent[0]
  const isFromLink = row.rating_via === 'link' && recent.some(({ choice }) => Number(choice) === row.rating)
  const rating = first && isFromLink ? first.rating_before : row.rating
  return {
    unconfirmed_rating: stars === rating ? null : stars,
    ...(first && isFromLink && { rating, rating_via: first.via_before }),
  }
}

/** Returns when a person confirmed, on the page, the star that the lead has; null if no one did. */
async function readConfirmation(tx: Tx, { lead: { row } }: FeedbackSave): Promise<Date | null> {
  if (row.rating === null) return null
  const [last] = await tx
    .select({ at: ratingSavesTable.at, choice: ratingSavesTable.choice })
    .from(ratingSavesTable)
    .where(and(eq(ratingSavesTable.lead_id, row.id), eq(ratingSavesTable.auto, false)))
    .orderBy(desc(ratingSavesTable.at), desc(ratingSavesTable.id))
    .limit(1)
  const isTheirs = row.rating_via === 'page' || (row.rating_via === 'link' && last?.choice === String(row.rating))
  return isTheirs ? (last?.at ?? new Date(0)) : null
}

/** A star that is already the rating keeps its origin. */
const toConfirmedRating = (row: StoredLead, stars: number): FeedbackColumns => ({
  unconfirmed_rating: null,
  ...(stars !== row.rating && { rating: stars, rating_via: 'link' }),
})

/**
 * Confirms the star that a page saved automatically, once a person has used the page, also one that was taken for a scanner's. A page that
 * was only open for a while, as a scanner's may be, lets the star count until another one is opened.
 */
async function confirmRating(tx: Tx, saving: FeedbackSave) {
  const { form, lead } = saving
  const { row } = lead
  const stars = Number(form.rating)
  const isShown = stars === row.unconfirmed_rating
  if (form.idle) {
    const { isDoubtful } = judgeLink(await readLinkSaves(tx, saving.keyId), String(stars) as LinkChoice, {
      now: saving.now,
      confirmedAt: await readConfirmation(tx, saving),
    })
    if (isShown && !isDoubtful) await updateRatedLead(tx, saving, toConfirmedRating(row, stars), 'link, seen')
    return
  }
  const isIgnored = !isShown && (await isIgnoredStar(tx, saving, String(stars)))
  if (!isShown && !isIgnored && (row.rating_via !== 'link' || stars !== row.rating)) return
  await insertSaveEntry(tx, saving, { auto: false, choice: String(stars), outcome: 'counted' })
  if (isShown || isIgnored) await updateRatedLead(tx, saving, toConfirmedRating(row, stars), 'link, seen')
}

/** Returns whether the link that was opened last is this star's, and was taken for a scanner's. */
async function isIgnoredStar(tx: Tx, { keyId, now }: FeedbackSave, star: string): Promise<boolean> {
  const [last] = await readLinkSaves(tx, keyId)
  return last?.choice === star && last.outcome === 'ignored' && now.getTime() - last.at.getTime() <= choosingMs
}

/** Undoes what the burst saved, except where a person has saved since. */
async function undoBurst(tx: Tx, saving: FeedbackSave, undo: LinkSave[]) {
  const lead = saving.lead.row
  const ids = undo.map(({ id }) => id)
  await tx.update(ratingSavesTable).set({ outcome: 'undone' }).where(inArray(ratingSavesTable.id, ids))
  const before: FeedbackColumns = {}
  const notLead = undo.find(({ choice }) => choice === 'not_lead')
  if (notLead && lead.client_progress === notLeadProgress && !(await hasVisitorSavedSince(tx, lead.id, notLead.at))) {
    before.client_progress = notLead.progress_before
    await withdrawDispute(tx, saving.actor, lead.id, notLead.at)
  }
  const stars = undo.filter(({ choice }) => choice !== 'not_lead')
  const [earliest] = stars
  const has = (rating: number | null) => stars.some(({ choice }) => Number(choice) === rating)
  if (earliest && has(lead.unconfirmed_rating)) before.unconfirmed_rating = earliest.unconfirmed_before
  else if (earliest && lead.unconfirmed_rating === null && lead.rating_via === 'link' && has(lead.rating)) {
    before.rating = earliest.rating_before
    before.rating_via = earliest.via_before
    before.unconfirmed_rating = earliest.unconfirmed_before
  }
  await updateRatedLead(tx, saving, before, 'scanner, undone')
}

async function hasVisitorSavedSince(tx: Tx, leadId: number, since: Date): Promise<boolean> {
  const theirs = and(
    eq(ratingSavesTable.lead_id, leadId),
    eq(ratingSavesTable.auto, false),
    isNull(ratingSavesTable.choice), // not only a star that was confirmed
    gt(ratingSavesTable.at, since),
  )
  return (await tx.$count(ratingSavesTable, theirs)) > 0
}

type SaveEntry = Pick<typeof ratingSavesTable.$inferInsert, 'auto' | 'choice' | 'reason' | 'outcome'>
const insertSaveEntry = (tx: Tx, { lead: { row }, keyId, now, visit }: FeedbackSave, noted: SaveEntry) =>
  tx.insert(ratingSavesTable).values({
    ...noted,
    ...visit,
    key_id: keyId,
    lead_id: row.id,
    campaign_id: row.campaign_id,
    rating_before: row.rating,
    unconfirmed_before: row.unconfirmed_rating,
    progress_before: row.client_progress,
    via_before: row.rating_via,
    at: now,
  })

/** Writes the fields that differ, with an audit entry without a person that says where they came from. */
async function updateRatedLead(tx: Tx, { lead, actor, zone }: FeedbackSave, given: FeedbackColumns, via: string) {
  const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as FeedbackColumns // only defined columns remain
  const set = diffFields(lead.row, wanted).after as FeedbackColumns // a subset of wanted
  if (Object.keys(set).length === 0) return
  const after = { ...toAuditValues({ ...lead.row, ...set }), via }
  await updateLead(tx, lead, { actor, zone, set, before: toAuditValues(lead.row), after })
}

/** Opens a dispute of a verified lead for Not Lead; any other progress withdraws it. */
async function followProgress(
  tx: Tx,
  { lead: { row }, form: { reason }, actor, zone, now }: FeedbackSave,
  { client_progress }: FeedbackColumns,
  via: 'mail' | 'page',
) {
  if (client_progress === undefined) return
  await followClientProgress(tx, { before: row, after: { ...row, client_progress }, via, reason, actor, zone, at: now })
}

/** Returns values in the format of the audit log: the rating is text, and the one that the lead shows. */
const toAuditValues = ({
  client_progress,
  company_name,
  client_notes,
  client_value,
  client_profit,
  ...row
}: StoredLead) => ({
  client_progress,
  ...toRatingFields(row),
  company_name,
  client_notes,
  client_value,
  client_profit,
})
