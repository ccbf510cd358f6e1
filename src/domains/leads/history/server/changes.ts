import { and, desc, eq } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { audit } from '#core/db/schema.ts'
import { invalid } from '#core/http/errors.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { leadChange, readableFields, writableFields } from '#domains/leads/contract.ts'
import { type Row, type Wanted, wireForm } from '#domains/leads/model/dto.ts'
import type { LeadHistory } from '../contract.ts'

type Entry = Pick<typeof audit.$inferSelect, 'id' | 'at' | 'username' | 'action' | 'before' | 'after'>
type Fields = Record<string, unknown>

const most = 500

/** What the trail knows of a lead, as far as the reader may read it; an entry of which nothing is left is left out. */
export async function changesOf(db: Queries, me: Me, row: Row, zone: string): Promise<LeadHistory['changes']> {
  const { id, at, username, action, before, after } = audit
  const entries = await db
    .select({ id, at, username, action, before, after })
    .from(audit)
    .where(and(eq(audit.kind, 'lead'), eq(audit.row_id, row.id)))
    .orderBy(desc(audit.id))
    .limit(most)
  const now: Fields = wireForm(row, zone)
  return entries.map((entry) => changeOf(entry, me, now)).filter(({ fields }) => fields.length > 0)
}

function changeOf(entry: Entry, me: Me, now: Fields): LeadHistory['changes'][number] {
  const [before, after] = [readable(me, entry.before), readable(me, entry.after)]
  const canRestore = (field: string) =>
    entry.before !== null &&
    writableFields(me).has(field) &&
    JSON.stringify(before[field]) !== JSON.stringify(now[field]) &&
    'wanted' in putBack(field, before[field])
  return {
    audit_id: entry.id,
    at: entry.at.toISOString(),
    by: entry.username,
    via: typeof entry.after?.via === 'string' ? entry.after.via : null,
    action: entry.action === 'created' ? 'created' : 'changed', // a lead is never removed
    fields: Object.keys(after).map((field) => ({
      field,
      from: before[field] ?? null,
      to: after[field] ?? null,
      can_restore: canRestore(field),
    })),
  }
}

/** Of a recording only whether there is one; its address is nobody's business. */
function readable(me: Me, fields: Fields | null): Fields {
  const { recording_url, ...rest } = fields ?? {}
  const all: Fields = recording_url === undefined ? rest : { ...rest, recording: recording_url !== null }
  // In the row's own order: JSON in PostgreSQL keeps none.
  return Object.fromEntries([...readableFields(me)].filter((field) => field in all).map((field) => [field, all[field]]))
}

/** What to ask for so that the field is again what it was before that change. Refuses (422) what cannot be so any more. */
export function wantedBack({ before }: Pick<Entry, 'before'>, field: string): Wanted {
  if (!before || !Object.hasOwn(before, field)) throw invalid({ field: ['This change did not touch that field'] })
  const back = putBack(field, before[field])
  if ('wanted' in back) return back.wanted
  throw invalid({ field: [back.refusal] })
}

/** The old value goes through the same schema as one that is typed in. */
function putBack(field: string, value: unknown): { wanted: Wanted } | { refusal: string } {
  const asSent = field === 'tags' && Array.isArray(value) ? value.map((name) => ({ name })) : value
  const parsed = leadChange.safeParse({ [field]: asSent })
  if (!parsed.success) return { refusal: parsed.error.issues[0]?.message ?? 'The old value cannot be put back' }
  const { id: _id, version: _version, ...wanted } = parsed.data
  return { wanted }
}
