import { and, gt, isNull, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'

/** Returns a new key of a document's link, with what is stored of it. */
export function createKey(): { key: string; key_hash: Buffer } {
  const key = randomToken(128)
  return { key, key_hash: hashSha256(key) }
}

export const createExpiry = (days: number) => sql`now() + ${sql.raw(`interval '${days} days'`)}`

/** Neither closed nor expired. */
export const createOpenCondition = (closedAt: PgColumn, expiresAt: PgColumn) =>
  and(isNull(closedAt), gt(expiresAt, sql`now()`))
