import { sql } from 'drizzle-orm'
import { refreshAllFirstCalls } from '#domains/leads/first-call.ts'
import { instantOf } from '#domains/leads/local-time.ts'
import { phoneKey } from '#domains/leads/phone.ts'
import { refreshShared, sharedKeys } from '#domains/leads/shared.ts'
import { spamSigns } from '#domains/leads/spam/match.ts'
import { leads } from '#domains/leads/table.ts'
import type { Queries } from '#server/db.ts'
import { Refusal } from '#server/errors.ts'
import type { House } from '#server/house.ts'
import { autoTags, isSpam } from './auto-tags.ts'
import { readLines } from './import-file.ts'
import { type Cells, columns, readCells, requiredColumns } from './import-line.ts'
import { type Place, Places, placeColumns } from './import-places.ts'

type Importing = {
  house: House
  file: string
  /** Says of each line what it would do, and writes nothing. */
  dryRun: boolean
  say: (line: string) => void
  /** Asked when some lines are bad, after they were named: whether the good ones shall be written. Without an answer they are not. */
  confirm?: () => Promise<boolean>
}
/** How many lines are new, already there or refused, and how many leads were written. */
export type Imported = { fresh: number; known: number; refused: number; written: number }

type Good = { line: number; cells: Cells; place: Place; lead_s: 'Callrail' | 'Formidable' }
type Bad = { line: number; wrong: string }

/** How many lines share a look at the database, or a commit. */
const batch = 500

/**
 * Brings leads in from a CSV file, whose columns are named as on the wire, with `campaign` and `clientsite` by id, name or address.
 * The file is read twice: first to say what would happen, then, if that is wanted, to let it happen. Nobody is mailed.
 */
export async function importLeads({ house, file, dryRun, say, confirm }: Importing): Promise<Imported> {
  const places = await Places.of(house.db)
  const count: Imported = { fresh: 0, known: 0, refused: 0, written: 0 }
  const seen = new Map<string, number>()
  for await (const lines of batches(understood(file, places, say))) {
    const known = await namesThere(house.db, lines.filter(isGood))
    for (const one of lines) {
      const fate = fateOf(one, seen, known)
      count[fate.is] += 1
      if (dryRun || fate.is === 'refused') say(`line ${one.line}: ${fate.says}`)
    }
  }
  say(`${count.fresh} new, ${count.known} already there, ${count.refused} refused`)
  if (dryRun || count.fresh === 0) return count
  if (count.refused > 0 && !(await confirm?.())) {
    say('Nothing was written')
    return count
  }
  for await (const lines of batches(understood(file, places, () => {})))
    count.written += await write(house, lines.filter(isGood))
  say(`${count.written} leads were written`)
  return count
}

const isGood = (one: Good | Bad): one is Good => 'cells' in one
const nameOf = ({ lead_s, cells }: Good) => `${lead_s} ${cells.lead_id}`

function fateOf(one: Good | Bad, seen: Map<string, number>, known: Set<string>) {
  if (!isGood(one)) return { is: 'refused' as const, says: `refused: ${one.wrong}` }
  const before = seen.get(nameOf(one))
  if (before !== undefined) return { is: 'refused' as const, says: `refused: It repeats line ${before}` }
  seen.set(nameOf(one), one.line)
  if (known.has(nameOf(one))) return { is: 'known' as const, says: 'already there, stays as it is' }
  return { is: 'fresh' as const, says: `new: ${one.cells.lead_type} of ${one.cells.lead_date}` }
}

/** Each line of the file, understood or not. */
async function* understood(file: string, places: Places, say: (line: string) => void): AsyncGenerator<Good | Bad> {
  let isFirst = true
  for await (const one of readLines(file)) {
    if ('broken' in one) {
      yield { line: one.line, wrong: one.broken }
      continue
    }
    if (isFirst) checkColumns(Object.keys(one.cells), say)
    isFirst = false
    const read = readCells(one.cells)
    const place = places.find(one.cells)
    const wrong = [...('wrong' in read ? read.wrong : []), ...('wrong' in place ? [place.wrong] : [])]
    if ('wrong' in read || 'wrong' in place) yield { line: one.line, wrong: wrong.join('; ') }
    else {
      const lead_s = read.cells.lead_s ?? (read.cells.lead_type === 'Call' ? 'Callrail' : 'Formidable')
      yield { line: one.line, cells: read.cells, place, lead_s }
    }
  }
}

function checkColumns(given: string[], say: (line: string) => void) {
  const missing = requiredColumns.filter((column) => !given.includes(column))
  if (missing.length > 0) throw new Refusal(422, `The file has no column ${missing.join(', ')}`)
  const known: readonly string[] = [...columns, ...placeColumns]
  for (const column of given.filter((name) => !known.includes(name))) say(`column ${column} is not known and left out`)
}

async function* batches<T>(all: AsyncIterable<T>): AsyncGenerator<T[]> {
  let some: T[] = []
  for await (const one of all) {
    some.push(one)
    if (some.length === batch) {
      yield some
      some = []
    }
  }
  if (some.length > 0) yield some
}

async function namesThere(db: Queries, lines: Good[]): Promise<Set<string>> {
  const asked = JSON.stringify(lines.map(({ lead_s, cells }) => ({ lead_s, lead_id: cells.lead_id })))
  const found = await db.execute<{ name: string }>(sql`
    select lead_s || ' ' || lead_id as name from leads
    where (lead_s, lead_id) in (select lead_s, lead_id from json_to_recordset(${asked}) one (lead_s text, lead_id text))`)
  return new Set(found.rows.map(({ name }) => name))
}

/** One commit. What is there already stays as it is, also what has come in since the file was read. */
async function write(house: House, lines: Good[]): Promise<number> {
  const firsts = [...Map.groupBy(lines, nameOf).values()].map(([first]) => first!)
  if (firsts.length === 0) return 0
  return house.db.transaction(async (tx) => {
    const people = firsts.map(({ cells }) => ({ phoneKey: phoneKey(cells.lead_phone), email: cells.lead_email }))
    const signsOf = await spamSigns(tx, people)
    const rows = firsts.map((one) => rowOf(one, house.settings.AGENCY_TIMEZONE, signsOf))
    const made = await tx
      .insert(leads)
      .values(rows)
      .onConflictDoNothing({ target: [leads.lead_s, leads.lead_id] })
      .returning({ campaign_id: leads.campaign_id, ...sharedKeys })
    await refreshAllFirstCalls(tx, made)
    await refreshShared(tx, made)
    return made.length
  })
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
