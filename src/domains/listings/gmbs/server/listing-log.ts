import { count, desc, eq, inArray } from 'drizzle-orm'
import type { AuditActor } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { type GmbField, getGmbStatusName, gmbFieldLabels } from '../labels.ts'
import { gmbLogsTable } from '../schema.ts'
import type { GmbRow } from './queries.ts'

type GmbChange = { created: true } | { before: GmbRow; after: Partial<GmbRow>; secrets: string[] }

/** One row for each field that became different, in the words of the dialog. Of a secret it says only that it changed. */
export async function writeGmbLog(tx: Tx, { me }: AuditActor, gmb_id: number, what: GmbChange): Promise<void> {
  const lines = 'created' in what ? [{ changed: 'Listing', new: 'created' }] : await toLogLines(tx, what)
  if (lines.length > 0)
    await tx.insert(gmbLogsTable).values(lines.map((line) => ({ ...line, gmb_id, username: me?.username ?? null })))
}

async function toLogLines(tx: Tx, { before, after, secrets }: Exclude<GmbChange, { created: true }>) {
  const inWords = await createValueFormatter(tx, [before.campaign_id, after.campaign_id ?? before.campaign_id])
  const plain = (Object.keys(after) as (keyof GmbRow)[]).map((name) =>
    name === 'changed'
      ? { changed: 'Changed listing', new: 'accepted as the new state' }
      : { changed: getFieldLabel(name), old: inWords(name, before[name]), new: inWords(name, after[name]) },
  )
  return [...plain, ...secrets.map((name) => ({ changed: getFieldLabel(name), new: 'changed' }))]
}

const getFieldLabel = (name: string): string => gmbFieldLabels[name as GmbField] ?? name // the form's own names

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

export async function readGmbLogs(db: DbOrTx, gmbId: number, asked: { page: number; per_page: number; order: string }) {
  const where = eq(gmbLogsTable.gmb_id, gmbId)
  const direction =
    asked.order === 'asc' ? (column: typeof gmbLogsTable.created_at | typeof gmbLogsTable.id) => column : desc
  const rows = db
    .select()
    .from(gmbLogsTable)
    .where(where)
    .orderBy(direction(gmbLogsTable.created_at), direction(gmbLogsTable.id))
    .limit(asked.per_page)
    .offset((asked.page - 1) * asked.per_page)
  const [data, [counted]] = await Promise.all([rows, db.select({ total: count() }).from(gmbLogsTable).where(where)])
  return {
    data: data.map(({ gmb_id, ...row }) => ({ ...row, created_at: row.created_at.toISOString() })),
    total: counted?.total ?? 0,
  }
}
