import { asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { foldText } from '#contract/fold-text.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { usersTable } from '#domains/access/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import {
  buildImportFields,
  type FindUses,
  findByName,
  findChangedSince,
  getFilledCell,
  type ImportCaller,
  type ImportDefinition,
  isSameName,
  type LineCells,
  type LineProblem,
  type ParsedLine,
  parseFieldCells,
  splitValues,
  toCellProblems,
  writeEach,
} from '#domains/imports/public.ts'
import { campaignCategoriesTable } from '../categories/schema.ts'
import { type CampaignForm, campaignFormSchema } from '../contract.ts'
import { campaignFields } from '../fields.ts'
import { campaignsTable } from '../schema.ts'
import { createCampaign } from './mutations.ts'

const { name, client_id, categories, ...plainFields } = buildImportFields(campaignFields)

/** Imports campaigns. Their sites are imported separately, naming the campaign. */
export const campaignsImport: ImportDefinition<CampaignForm> = {
  atOnce: 100,
  fields: [name, client_id, categories, ...Object.values(plainFields)],

  open: async ({ db }) => {
    const known = await readKnownRecords(db)
    return (cells) => parseCampaignRow(cells, known)
  },

  listNames: async (db, field) => {
    const { clients } = field === 'client' ? await readKnownRecords(db) : { clients: [] }
    return clients.map(({ name }) => name)
  },

  there: async (db, rows) => {
    const keys = JSON.stringify(rows.map(({ name, client_id }, place) => ({ place, name, client_id })))
    const found = await db.execute<{ place: number }>(sql`
      select one.place from json_to_recordset(${keys}) one (place int, name text, client_id int)
      where exists (select from ${campaignsTable}
        where ${campaignsTable.client_id} = one.client_id and fold_text(${campaignsTable.name}) = fold_text(one.name))`)
    const known = new Set(found.rows.map(({ place }) => place))
    return rows.map((_, place) => (known.has(place) ? 'known' : 'fresh'))
  },

  write: (tx, by, rows) => writeEach(tx, rows, (inner, row) => createCampaign(inner, by, row)),

  remove: async (tx, by, ids, findUses) => {
    const kept = await findCampaignsInUse(tx, ids, findUses)
    await removeCampaigns(
      tx,
      by,
      ids.filter((id) => !kept.has(id)),
    )
    return kept
  },
}

const buildCampaignKey = ({ name, client_id }: Pick<CampaignForm, 'name' | 'client_id'>) =>
  `${client_id} ${foldText(name).trim()}`

type NamedRecord = { id: number; name: string }
type KnownRecords = { clients: (NamedRecord & { email: string | null })[]; categories: NamedRecord[] }

async function readKnownRecords(db: DbOrTx): Promise<KnownRecords> {
  const { id, name } = campaignCategoriesTable
  return {
    clients: await db
      .select({ id: clientsTable.id, name: clientsTable.name, email: usersTable.email })
      .from(clientsTable)
      .leftJoin(usersTable, sql`${usersTable.client_id} = ${clientsTable.id} and ${usersTable.deleted_at} is null`)
      .where(isNull(clientsTable.deleted_at)),
    categories: await db.select({ id, name }).from(campaignCategoriesTable).orderBy(asc(id)),
  }
}

function parseCampaignRow(cells: LineCells, known: KnownRecords): ParsedLine<CampaignForm> | { wrong: LineProblem[] } {
  const wanted = getFilledCell(cells, 'client')
  const same = (a: string | null, b: string) => a !== null && isSameName(a, b)
  const client =
    wanted === undefined
      ? undefined
      : (known.clients.find(({ email }) => same(email, wanted)) ??
        findByName('client', wanted, known.clients, ({ name }) => same(name, wanted)))
  const categories = splitValues(cells.categories, /[;|\n]/).flatMap((one) => findCategories(one, known.categories))
  const unknown = [
    ...(typeof client === 'string' ? [{ field: 'client', says: client }] : []),
    ...categories.flatMap((one) => (typeof one === 'string' ? [{ field: 'categories', says: one }] : [])),
  ]
  const parsed = campaignFormSchema.safeParse({
    ...parseFieldCells(campaignFields, cells),
    categories: categories.flatMap((one) => (typeof one === 'string' ? [] : one.id)),
    client_id: typeof client === 'object' ? client.id : undefined,
  })
  const others = parsed.success
    ? []
    : toCellProblems(parsed.error)
        .map(toCellError)
        .filter((one) => !unknown.some(createFieldMatcher(one)))
  if (!parsed.success || unknown.length > 0) return { wrong: [...unknown, ...others] }
  return { row: parsed.data, names: [buildCampaignKey(parsed.data)] }
}

/** A name may have commas, which our own file has between names: from left to right, the longest one counts. */
function findCategories(text: string, known: NamedRecord[]): (NamedRecord | string)[] {
  const find = (one: string) => findByName('category', one, known, ({ name }) => isSameName(name, one))
  const whole = find(text)
  if (typeof whole !== 'string') return [whole]
  const lengths = [...new Set([1, ...known.map(({ name }) => name.split(',').length)])].toSorted((a, b) => b - a)
  const found: NamedRecord[] = []
  for (let rest = text.split(',').filter((part) => part.trim() !== ''); rest.length > 0; ) {
    const runs = lengths.map((length) => ({ length, one: find(rest.slice(0, length).join(',').trim()) }))
    const longest = runs.find(({ one }) => typeof one !== 'string')
    if (typeof longest?.one !== 'object') return [whole]
    found.push(longest.one)
    rest = rest.slice(longest.length)
  }
  return found
}

const toCellError = ({ field, says }: LineProblem): LineProblem => ({
  field: field === 'client_id' ? 'client' : field,
  says,
})
const createFieldMatcher = (a: LineProblem) => (b: LineProblem) => a.field === b.field

/** Returns the campaigns that have been changed or that other rows refer to, with the reason. */
async function findCampaignsInUse(tx: Tx, ids: number[], findUses: FindUses): Promise<Map<number, string>> {
  // Leads refer to their campaign without a foreign key, so the lock keeps new leads out during the check.
  await tx
    .select({ id: campaignsTable.id })
    .from(campaignsTable)
    .where(inArray(campaignsTable.id, ids))
    .orderBy(campaignsTable.id)
    .for('update')
  const changed = await findChangedSince(tx, 'campaign', 'this campaign', ids)
  return new Map([...changed, ...(await findUses())])
}

async function removeCampaigns(tx: Tx, { actor }: ImportCaller, ids: number[]) {
  for (const id of ids) {
    const [gone] = await tx
      .delete(campaignsTable)
      .where(eq(campaignsTable.id, id))
      .returning({ name: campaignsTable.name, client_id: campaignsTable.client_id })
    if (gone) await writeAudit(tx, actor, { kind: 'campaign', rowId: id, before: gone, after: null })
  }
}
