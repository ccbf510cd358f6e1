import { and, eq, gt, isNotNull, max } from 'drizzle-orm'
import type { z } from 'zod'
import { cutText } from '#contract/cut-text.ts'
import type { Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { validationError } from '#core/http/errors.ts'
import { changedReason } from '#domains/moves/public.ts'

/**
 * Parses what an old system has with a form's schema. A field that the schema refuses is left empty, and named in `kept`; without a
 * required one the thing cannot be written, and this throws.
 */
export function fitForm<S extends z.ZodType>(
  schema: S,
  values: Record<string, unknown>,
  required: readonly string[],
): { form: z.output<S>; kept: string | undefined } {
  const left = { ...values }
  const kept: string[] = []
  for (;;) {
    const parsed = schema.safeParse(left)
    if (parsed.success) return { form: parsed.data, kept: kept.length > 0 ? kept.join('. ') : undefined }
    const refused = new Map(parsed.error.issues.map(({ path, message }) => [String(path[0]), message]))
    const lost = [...refused].filter(([field]) => left[field] !== undefined && !required.includes(field))
    if (lost.length < refused.size)
      throw validationError(Object.fromEntries([...refused].map(([field, line]) => [field, [line]])))
    for (const [field, message] of lost) {
      delete left[field]
      kept.push(`${field} was left empty: ${message}`)
    }
  }
}

/** Collects what of a row was not taken over, each as a sentence. */
export function createKeeper(row: Record<string, unknown>) {
  const kept: string[] = []
  /** Returns a value as it was read; one that is there and was not understood is named. */
  const keep = <Value>(name: string, value: Value | null, becomes = 'was left empty'): Value | null => {
    if (value === null && isThere(row[name]))
      kept.push(`${name} ${becomes}: ${cutText(String(row[name]), 40)} is not understood`)
    return value
  }
  return { kept, keep }
}

const isThere = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== 0 &&
  value !== false &&
  (typeof value !== 'string' || !/^(0?|0[.:]00?|false|no|off|n|f)$/i.test(value.trim()))

/**
 * Returns that a person has changed this row since it was written, or may have: its creation is no longer in the audit log; null if no one
 * has. What the program itself changes does not count. `part` is the audit kind of what belongs to the row.
 */
export async function findPersonChange(tx: Tx, kind: string, id: number, part = kind): Promise<string | null> {
  const { row_id, action, user_id, at } = auditTable
  const [made] = await tx
    .select({ at: max(at) })
    .from(auditTable)
    .where(and(eq(auditTable.kind, kind), eq(row_id, id), eq(action, 'created')))
  if (!made?.at) return 'the audit trail no longer says whether it was changed since, so it stays'
  // The transaction that has written it may have changed it too.
  const isLater = and(eq(auditTable.kind, part), eq(row_id, id), isNotNull(user_id), gt(at, made.at))
  return (await tx.$count(auditTable, isLater)) > 0 ? changedReason : null
}

export const joinKept = (...parts: (string | undefined | null)[]): string | undefined =>
  parts.filter(Boolean).join('. ') || undefined
