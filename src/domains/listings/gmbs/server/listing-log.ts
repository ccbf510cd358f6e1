import { count, desc, eq, inArray } from 'drizzle-orm'
import type { Actor } from '#core/audit/write-audit.ts'
import type { Queries, Tx } from '#core/db/db.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { type GmbField, labels, statusName } from '../labels.ts'
import { gmbLogs } from '../schema.ts'
import type { Stored } from './queries.ts'

type Noted = { created: true } | { before: Stored; after: Partial<Stored>; secrets: string[] }

/** One row for each field that became different, in the words of the dialog. Of a secret it says only that it changed. */
export async function note(tx: Tx, { me }: Actor, gmb_id: number, what: Noted): Promise<void> {
  const lines = 'created' in what ? [{ changed: 'Listing', new: 'created' }] : await linesOf(tx, what)
  if (lines.length > 0)
    await tx.insert(gmbLogs).values(lines.map((line) => ({ ...line, gmb_id, username: me?.username ?? null })))
}

async function linesOf(tx: Tx, { before, after, secrets }: Exclude<Noted, { created: true }>) {
  const inWords = await wordsWith(tx, [before.campaign_id, after.campaign_id ?? before.campaign_id])
  const plain = (Object.keys(after) as (keyof Stored)[]).map((name) =>
    name === 'changed'
      ? { changed: 'Changed listing', new: 'accepted as the new state' }
      : { changed: labelOf(name), old: inWords(name, before[name]), new: inWords(name, after[name]) },
  )
  return [...plain, ...secrets.map((name) => ({ changed: labelOf(name), new: 'changed' }))]
}

const labelOf = (name: string): string => labels[name as GmbField] ?? name // the form's own names

async function wordsWith(tx: Tx, campaignIds: number[]) {
  const named = await tx
    .select({ id: campaigns.id, name: campaigns.name })
    .from(campaigns)
    .where(inArray(campaigns.id, campaignIds))
  return (name: string, value: unknown): string | null => {
    if (value === null || value === undefined) return null
    if (name === 'status') return statusName(Number(value))
    if (name === 'campaign_id') return named.find(({ id }) => id === value)?.name ?? null
    if (typeof value === 'boolean') return value ? 'Yes' : 'No'
    return String(value)
  }
}

export async function logsPage(db: Queries, gmbId: number, asked: { page: number; per_page: number; order: string }) {
  const where = eq(gmbLogs.gmb_id, gmbId)
  const direction = asked.order === 'asc' ? (column: typeof gmbLogs.created_at | typeof gmbLogs.id) => column : desc
  const rows = db
    .select()
    .from(gmbLogs)
    .where(where)
    .orderBy(direction(gmbLogs.created_at), direction(gmbLogs.id))
    .limit(asked.per_page)
    .offset((asked.page - 1) * asked.per_page)
  const [data, [counted]] = await Promise.all([rows, db.select({ total: count() }).from(gmbLogs).where(where)])
  return {
    data: data.map(({ gmb_id, ...row }) => ({ ...row, created_at: row.created_at.toISOString() })),
    total: counted?.total ?? 0,
  }
}
