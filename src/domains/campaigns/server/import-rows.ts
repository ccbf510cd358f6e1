import { asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { usersTable } from '#domains/access/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import {
  findByName,
  findChangedSince,
  getFilledCell,
  type ImportCaller,
  type ImportDefinition,
  type LineCells,
  type LineProblem,
  normalizeUsDate,
  type ParsedLine,
  parsePlainNumber,
  parseYesNo,
  splitValues,
  toCellProblems,
  writeEach,
  yesNoHint,
} from '#domains/imports/public.ts'
import { campaignCategoriesTable } from '../categories/schema.ts'
import { type CampaignForm, campaignFormSchema } from '../contract.ts'
import { campaignFieldTitles } from '../labels.ts'
import { campaignsTable } from '../schema.ts'
import { createCampaign } from './mutations.ts'

const moneyFormatHint = '1200.50 or $1,200.50'

/** Campaigns. Their sites come by an import of client sites, which names the campaign. */
export const campaignsImport: ImportDefinition<CampaignForm> = {
  atOnce: 100,
  fields: [
    { name: 'name', label: campaignFieldTitles.name, required: true, also: ['campaign', 'campaign name'] },
    {
      name: 'client',
      label: campaignFieldTitles.client_id,
      required: true,
      also: ['client_id', 'client name'],
      about: 'Its name, the email of its account, or its number',
    },
    {
      name: 'categories',
      label: campaignFieldTitles.categories,
      required: true,
      also: ['category', 'campaign category'],
      about: 'Names or numbers, with semicolons between',
    },
    { name: 'manager', label: campaignFieldTitles.manager, required: true },
    { name: 'start_date', label: campaignFieldTitles.start_date, required: true, about: '2026-03-16 or 03/16/2026' },
    { name: 'due_date', label: campaignFieldTitles.due_date, required: true, about: 'Day of the month, 1 to 31' },
    { name: 'initial_target', label: campaignFieldTitles.initial_target, required: true, about: 'Leads a month' },
    { name: 'month_3_target', label: campaignFieldTitles.month_3_target },
    { name: 'month_6_target', label: campaignFieldTitles.month_6_target },
    { name: 'month_9_target', label: campaignFieldTitles.month_9_target },
    { name: 'month_12_target', label: campaignFieldTitles.month_12_target },
    { name: 'service_fee', label: campaignFieldTitles.service_fee, about: moneyFormatHint },
    { name: 'approved_ppc', label: campaignFieldTitles.approved_ppc, about: moneyFormatHint },
    { name: 'fixed_to_top', label: campaignFieldTitles.fixed_to_top, also: ['fixed to top'], about: yesNoHint },
  ],

  open: async ({ db }) => {
    const known = await readKnownRecords(db)
    return (cells) => parseCampaignRow(cells, known)
  },

  there: async (db, rows) => {
    const asked = JSON.stringify(rows.map(({ name, client_id }) => ({ name, client_id })))
    const found = await db.execute<{ key: string }>(sql`
      select distinct ${campaignsTable.client_id} || ' ' || lower(${campaignsTable.name}) as key from ${campaignsTable}
      join json_to_recordset(${asked}) one (name text, client_id int)
        on one.client_id = ${campaignsTable.client_id} and lower(one.name) = lower(${campaignsTable.name})`)
    const known = new Set(found.rows.map(({ key }) => key))
    return rows.map((row) => (known.has(buildCampaignKey(row)) ? 'known' : 'fresh'))
  },

  write: (tx, by, rows) => writeEach(tx, rows, (inner, row) => createCampaign(inner, by, row)),

  remove: async (tx, by, ids) => {
    await tx
      .select({ id: campaignsTable.id })
      .from(campaignsTable)
      .where(inArray(campaignsTable.id, ids))
      .orderBy(campaignsTable.id)
      .for('update')
    const kept = await findCampaignsInUse(tx, ids)
    await removeCampaigns(
      tx,
      by,
      ids.filter((id) => !kept.has(id)),
    )
    return kept
  },
}

const buildCampaignKey = ({ name, client_id }: Pick<CampaignForm, 'name' | 'client_id'>) =>
  `${client_id} ${name.toLowerCase()}`

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
  const { client: _, ...asWritten } = cells
  const wanted = getFilledCell(cells, 'client')
  const same = (a: string | null, b: string) => a?.toLowerCase() === b.toLowerCase()
  const client =
    wanted === undefined
      ? undefined
      : (known.clients.find(({ email }) => same(email, wanted)) ??
        findByName('client', wanted, known.clients, ({ name }) => same(name, wanted)))
  const categories = splitValues(cells.categories, /[;|\n]/).map((one) =>
    findByName('category', one, known.categories, ({ name }) => same(name, one)),
  )
  const unknown = [
    ...(typeof client === 'string' ? [{ field: 'client', says: client }] : []),
    ...categories.flatMap((one) => (typeof one === 'string' ? [{ field: 'categories', says: one }] : [])),
  ]
  const fixed = getFilledCell(cells, 'fixed_to_top')
  const numbers = Object.fromEntries(
    numericFields.map((field) => [field, parsePlainNumber(getFilledCell(cells, field))]),
  )
  const parsed = campaignFormSchema.safeParse({
    ...asWritten,
    categories: categories.flatMap((one) => (typeof one === 'string' ? [] : one.id)),
    client_id: typeof client === 'object' ? client.id : undefined,
    start_date: normalizeUsDate(cells.start_date),
    fixed_to_top: fixed && parseYesNo(fixed),
    ...numbers,
  })
  const others = parsed.success
    ? []
    : toCellProblems(parsed.error)
        .map(toCellError)
        .filter((one) => !unknown.some(createFieldMatcher(one)))
  if (!parsed.success || unknown.length > 0) return { wrong: [...unknown, ...others] }
  return { row: parsed.data, names: [buildCampaignKey(parsed.data)] }
}

const numericFields = [
  'due_date',
  'initial_target',
  'month_3_target',
  'month_6_target',
  'month_9_target',
  'month_12_target',
  'service_fee',
  'approved_ppc',
] as const
const toCellError = ({ field, says }: LineProblem): LineProblem => ({
  field: field === 'client_id' ? 'client' : field,
  says,
})
const createFieldMatcher = (a: LineProblem) => (b: LineProblem) => a.field === b.field

/** Those that somebody has changed, or that something belongs to by now. */
async function findCampaignsInUse(tx: Tx, ids: number[]): Promise<Map<number, string>> {
  const chosen = sql`${sql.param(ids)}::int[]`
  // Leads refer to their campaign without a foreign key: nobody gives it one while we look.
  await tx.execute(sql`select from ${campaignsTable} where id = any(${chosen}) order by id for update`)
  const used = await tx.execute<{ id: number; says: string }>(sql`
    select g.id, case
      when g.id in (select distinct campaign_id from leads where campaign_id = any(${chosen})) then 'It has leads by now'
      when exists (select from client_sites s where s.campaign_id = g.id) then 'It has client sites by now'
      when exists (select from campaign_gmbs m where m.campaign_id = g.id) then 'It has listings by now'
      when exists (select from activity_items i where i.campaign_id = g.id) then 'It has items in the activity log by now'
      when exists (select from user_campaigns u where u.campaign_id = g.id) then 'It was given to somebody'
      when exists (select from campaign_areas a where a.campaign_id = g.id) then 'It has an area by now'
    end as says from ${campaignsTable} g where g.id = any(${chosen})`)
  const changed = await findChangedSince(tx, 'campaign', 'this campaign', ids)
  return new Map([
    ...changed,
    ...used.rows.flatMap(({ id, says }): [number, string][] => (says === null ? [] : [[id, says]])),
  ])
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
