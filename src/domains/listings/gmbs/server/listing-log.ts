import { eq, inArray } from 'drizzle-orm'
import type { QueryOf } from '#contract/endpoint.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { selectFields } from '#core/db/field-columns.ts'
import { isoTimestampSql, sortDirection } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { gmbLogFields, type gmbsContract } from '../contract.ts'
import { gmbFields } from '../fields.ts'
import { getGmbStatusName } from '../labels.ts'
import { gmbLogsTable } from '../schema.ts'
import type { GmbLogLine, GmbRow } from './store.ts'

type GmbChange = { before: GmbRow; after: Partial<GmbRow>; secrets: string[] }

/** Returns one line for each changed field, labeled as in the dialog. A secret's line only says that it changed. */
export async function toLogLines(tx: Tx, { before, after, secrets }: GmbChange): Promise<GmbLogLine[]> {
  const formatValue = await createValueFormatter(tx, [before.campaign_id, after.campaign_id ?? before.campaign_id])
  const plain = (Object.keys(after) as (keyof GmbRow)[]).map((name) =>
    name === 'changed'
      ? { changed: 'Changed listing', new: 'accepted as the new state' }
      : { changed: getFieldLabel(name), old: formatValue(name, before[name]), new: formatValue(name, after[name]) },
  )
  return [...plain, ...secrets.map((name) => ({ changed: getFieldLabel(name), new: 'changed' }))]
}

const getFieldLabel = (name: string): string =>
  name in gmbFields ? gmbFields[name as keyof typeof gmbFields].label : name

async function createValueFormatter(tx: Tx, campaignIds: number[]) {
  const named = await tx
    .select({ id: campaignsTable.id, name: campaignsTable.name })
    .from(campaignsTable)
    .where(inArray(campaignsTable.id, campaignIds))
  return (name: string, value: unknown): string | null => {
    if (value === null || value === undefined) return null
    if (name === 'status') return getGmbStatusName(Number(value))
    if (name === 'campaign_id') return named.find(({ id }) => id === value)?.name ?? null
    if (typeof value === 'boolean') return value ? 'Yes' : 'No'
    return String(value)
  }
}

export function readGmbLogs(db: DbOrTx, gmbId: number, query: QueryOf<typeof gmbsContract.logs>) {
  const where = eq(gmbLogsTable.gmb_id, gmbId)
  const direction = sortDirection(query.order)
  const lines = db
    .select(selectFields(gmbLogFields, gmbLogsTable, { created_at: isoTimestampSql(gmbLogsTable.created_at) }))
    .from(gmbLogsTable)
    .where(where)
    .orderBy(direction(gmbLogsTable.created_at), direction(gmbLogsTable.id))
  return readPage(lines, db.$count(gmbLogsTable, where), query)
}
