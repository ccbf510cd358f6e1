import { and, desc, eq } from 'drizzle-orm'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { erasedText } from '#core/erasure/personal-data.ts'
import { validationError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { getReadableFields, getWritableFields, leadChangeSchema } from '#domains/leads/contract.ts'
import { type LeadUpdate, type StoredLead, toLeadDto } from '#domains/leads/model/dto.ts'
import type { LeadHistory } from '../contract.ts'

type LeadAuditEntry = Pick<typeof auditTable.$inferSelect, 'id' | 'at' | 'username' | 'action' | 'before' | 'after'>
type FieldValues = Record<string, unknown>

const maxEntries = 500

/** Returns the audit entries of a lead, limited to the fields that the reader may read; empty entries are left out. */
export async function readLeadChanges(
  db: DbOrTx,
  me: CurrentUser,
  row: StoredLead,
  zone: string,
): Promise<BeforeJson<LeadHistory['changes']>> {
  const { id, at, username, action, before, after } = auditTable
  const entries = await db
    .select({ id, at, username, action, before, after })
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'lead'), eq(auditTable.row_id, row.id)))
    .orderBy(desc(auditTable.id))
    .limit(maxEntries)
  const now: FieldValues = toLeadDto(row, zone)
  return entries.map((entry) => toHistoryChange(entry, me, now)).filter(({ fields }) => fields.length > 0)
}

function toHistoryChange(
  entry: LeadAuditEntry,
  me: CurrentUser,
  now: FieldValues,
): BeforeJson<LeadHistory['changes'][number]> {
  const [before, after] = [filterReadable(me, entry.before), filterReadable(me, entry.after)]
  const canRestore = (field: string) =>
    entry.before !== null &&
    getWritableFields(me).has(field) &&
    JSON.stringify(before[field]) !== JSON.stringify(now[field]) &&
    'wanted' in parseOldValue(field, before[field])
  return {
    audit_id: entry.id,
    at: entry.at,
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

/** Keeps readable fields. Of a recording only whether there is one: its URL never leaves the server. */
function filterReadable(me: CurrentUser, fields: FieldValues | null): FieldValues {
  const { recording_url, ...rest } = fields ?? {}
  const all: FieldValues = recording_url === undefined ? rest : { ...rest, recording: recording_url !== null }
  // In the order of the fields, because PostgreSQL's jsonb keeps none.
  return Object.fromEntries(
    [...getReadableFields(me)].filter((field) => field in all).map((field) => [field, all[field]]),
  )
}

/** Returns the update that restores a field to its value before a change. Throws 422 for a value that is no longer valid. */
export function buildRestoreUpdate({ before }: Pick<LeadAuditEntry, 'before'>, field: string): LeadUpdate {
  if (!before || !Object.hasOwn(before, field))
    throw validationError({ field: ['This change did not touch that field'] })
  const back = parseOldValue(field, before[field])
  if (!('wanted' in back)) throw validationError({ field: [back.refusal] })
  if (field !== 'campaign_id') return back.wanted
  // The site belongs to the campaign. A move that did not change it had none.
  const site = Object.hasOwn(before, 'clientsite_id') ? buildRestoreUpdate({ before }, 'clientsite_id') : noSite
  return { ...back.wanted, ...site }
}

const noSite: LeadUpdate = { clientsite_id: null }

/** Parses the old value with the same schema as user input. */
function parseOldValue(field: string, value: unknown): { wanted: LeadUpdate } | { refusal: string } {
  if (value === erasedText) return { refusal: 'The old value was erased' }
  const asSent = field === 'tags' && Array.isArray(value) ? value.map((name) => ({ name })) : value
  const parsed = leadChangeSchema.safeParse({ [field]: asSent })
  if (!parsed.success) return { refusal: parsed.error.issues[0]?.message ?? 'The old value cannot be restored' }
  const { id: _id, version: _version, ...wanted } = parsed.data
  return { wanted }
}
