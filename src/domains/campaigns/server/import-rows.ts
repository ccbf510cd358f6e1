import { asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { record } from '#core/audit/write-audit.ts'
import type { Queries, Tx } from '#core/db/db.ts'
import { users } from '#domains/access/schema.ts'
import { clients } from '#domains/clients/schema.ts'
import {
  filled,
  isoDate,
  named,
  plainNumber,
  several,
  wrongIn,
  yesAndNo,
  yesOrNo,
} from '#domains/imports/server/cells.ts'
import type { By, Cells, Importable, Understood, Wrong } from '#domains/imports/server/importable.ts'
import { changedSince, writeEach } from '#domains/imports/server/write-rows.ts'
import { campaignCategories } from '../categories/schema.ts'
import { type CampaignForm, campaignForm } from '../contract.ts'
import { campaignFieldTitles as titles } from '../labels.ts'
import { campaigns } from '../schema.ts'
import { signCampaign } from './mutations.ts'

const dollars = '1200.50 or $1,200.50'

/** Campaigns. Their sites come by an import of client sites, which names the campaign. */
export const campaignsImport: Importable<CampaignForm> = {
  atOnce: 100,
  fields: [
    { name: 'name', label: titles.name, required: true, also: ['campaign', 'campaign name'] },
    {
      name: 'client',
      label: titles.client_id,
      required: true,
      also: ['client_id', 'client name'],
      about: 'Its name, the email of its account, or its number',
    },
    {
      name: 'categories',
      label: titles.categories,
      required: true,
      also: ['category', 'campaign category'],
      about: 'Names or numbers, with semicolons between',
    },
    { name: 'manager', label: titles.manager, required: true },
    { name: 'start_date', label: titles.start_date, required: true, about: '2026-03-16 or 03/16/2026' },
    { name: 'due_date', label: titles.due_date, required: true, about: 'Day of the month, 1 to 31' },
    { name: 'initial_target', label: titles.initial_target, required: true, about: 'Leads a month' },
    { name: 'month_3_target', label: titles.month_3_target },
    { name: 'month_6_target', label: titles.month_6_target },
    { name: 'month_9_target', label: titles.month_9_target },
    { name: 'month_12_target', label: titles.month_12_target },
    { name: 'service_fee', label: titles.service_fee, about: dollars },
    { name: 'approved_ppc', label: titles.approved_ppc, about: dollars },
    { name: 'fixed_to_top', label: titles.fixed_to_top, also: ['fixed to top'], about: yesAndNo },
  ],

  open: async ({ db }) => {
    const known = await readKnown(db)
    return (cells) => understand(cells, known)
  },

  there: async (db, rows) => {
    const asked = JSON.stringify(rows.map(({ name, client_id }) => ({ name, client_id })))
    const found = await db.execute<{ key: string }>(sql`
      select distinct ${campaigns.client_id} || ' ' || lower(${campaigns.name}) as key from ${campaigns}
      join json_to_recordset(${asked}) one (name text, client_id int)
        on one.client_id = ${campaigns.client_id} and lower(one.name) = lower(${campaigns.name})`)
    const known = new Set(found.rows.map(({ key }) => key))
    return rows.map((row) => (known.has(keyOf(row)) ? 'known' : 'fresh'))
  },

  write: (tx, by, rows) => writeEach(tx, rows, (inner, row) => signCampaign(inner, by, row)),

  remove: async (tx, by, ids) => {
    await tx
      .select({ id: campaigns.id })
      .from(campaigns)
      .where(inArray(campaigns.id, ids))
      .orderBy(campaigns.id)
      .for('update')
    const kept = await inUse(tx, ids)
    await removeCampaigns(
      tx,
      by,
      ids.filter((id) => !kept.has(id)),
    )
    return kept
  },
}

const keyOf = ({ name, client_id }: Pick<CampaignForm, 'name' | 'client_id'>) => `${client_id} ${name.toLowerCase()}`

type Named = { id: number; name: string }
type Known = { clients: (Named & { email: string | null })[]; categories: Named[] }

async function readKnown(db: Queries): Promise<Known> {
  const { id, name } = campaignCategories
  return {
    clients: await db
      .select({ id: clients.id, name: clients.name, email: users.email })
      .from(clients)
      .leftJoin(users, sql`${users.client_id} = ${clients.id} and ${users.deleted_at} is null`)
      .where(isNull(clients.deleted_at)),
    categories: await db.select({ id, name }).from(campaignCategories).orderBy(asc(id)),
  }
}

function understand(cells: Cells, known: Known): Understood<CampaignForm> | { wrong: Wrong[] } {
  const { client: _, ...asWritten } = cells
  const wanted = filled(cells, 'client')
  const same = (a: string | null, b: string) => a?.toLowerCase() === b.toLowerCase()
  const client =
    wanted === undefined
      ? undefined
      : (known.clients.find(({ email }) => same(email, wanted)) ??
        named('client', wanted, known.clients, ({ name }) => same(name, wanted)))
  const categories = several(cells.categories, /[;|\n]/).map((one) =>
    named('category', one, known.categories, ({ name }) => same(name, one)),
  )
  const unknown = [
    ...(typeof client === 'string' ? [{ field: 'client', says: client }] : []),
    ...categories.flatMap((one) => (typeof one === 'string' ? [{ field: 'categories', says: one }] : [])),
  ]
  const fixed = filled(cells, 'fixed_to_top')
  const numbers = Object.fromEntries(numbersOf.map((field) => [field, plainNumber(filled(cells, field))]))
  const parsed = campaignForm.safeParse({
    ...asWritten,
    categories: categories.flatMap((one) => (typeof one === 'string' ? [] : one.id)),
    client_id: typeof client === 'object' ? client.id : undefined,
    start_date: isoDate(cells.start_date),
    fixed_to_top: fixed && yesOrNo(fixed),
    ...numbers,
  })
  const others = parsed.success
    ? []
    : wrongIn(parsed.error)
        .map(asCell)
        .filter((one) => !unknown.some(sameField(one)))
  if (!parsed.success || unknown.length > 0) return { wrong: [...unknown, ...others] }
  return { row: parsed.data, names: [keyOf(parsed.data)] }
}

const numbersOf = [
  'due_date',
  'initial_target',
  'month_3_target',
  'month_6_target',
  'month_9_target',
  'month_12_target',
  'service_fee',
  'approved_ppc',
] as const
const asCell = ({ field, says }: Wrong): Wrong => ({ field: field === 'client_id' ? 'client' : field, says })
const sameField = (a: Wrong) => (b: Wrong) => a.field === b.field

/** Those that somebody has changed, or that something belongs to by now. */
async function inUse(tx: Tx, ids: number[]): Promise<Map<number, string>> {
  const chosen = sql`${sql.param(ids)}::int[]`
  // Leads refer to their campaign without a foreign key: nobody gives it one while we look.
  await tx.execute(sql`select from ${campaigns} where id = any(${chosen}) order by id for update`)
  const used = await tx.execute<{ id: number; says: string }>(sql`
    select g.id, case
      when g.id in (select distinct campaign_id from leads where campaign_id = any(${chosen})) then 'It has leads by now'
      when exists (select from client_sites s where s.campaign_id = g.id) then 'It has client sites by now'
      when exists (select from campaign_gmbs m where m.campaign_id = g.id) then 'It has listings by now'
      when exists (select from activity_items i where i.campaign_id = g.id) then 'It has items in the activity log by now'
      when exists (select from user_campaigns u where u.campaign_id = g.id) then 'It was given to somebody'
      when exists (select from campaign_areas a where a.campaign_id = g.id) then 'It has an area by now'
    end as says from ${campaigns} g where g.id = any(${chosen})`)
  const changed = await changedSince(tx, 'campaign', 'this campaign', ids)
  return new Map([
    ...changed,
    ...used.rows.flatMap(({ id, says }): [number, string][] => (says === null ? [] : [[id, says]])),
  ])
}

async function removeCampaigns(tx: Tx, { actor }: By, ids: number[]) {
  for (const id of ids) {
    const [gone] = await tx
      .delete(campaigns)
      .where(eq(campaigns.id, id))
      .returning({ name: campaigns.name, client_id: campaigns.client_id })
    if (gone) await record(tx, actor, { kind: 'campaign', rowId: id, before: gone, after: null })
  }
}
