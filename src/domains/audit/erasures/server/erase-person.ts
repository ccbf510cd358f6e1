import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Db, Tx } from '#core/db/db.ts'
import type { PersonalData } from '#core/erasure/personal-data.ts'
import { conflictError } from '#core/http/errors.ts'
import type { SecretBox } from '#core/secrets/secrets.ts'
import { erasureMessages } from '../contract.ts'
import { erasurePersonAad, erasuresTable } from '../schema.ts'
import { findPerson, type PersonAddress } from './find-person.ts'

type ErasureOptions = {
  actor: AuditActor
  /** The rehearsal's total; throws 409 if it has changed. Omitted for a replay. */
  total?: number
  /** Set when an erasure is replayed. */
  listKey?: string
}
export type DoneErasure = typeof erasuresTable.$inferSelect

/** `personalData` is everything that may hold data of people outside the agency. */
export type ErasureContext = { db: Db; secrets: SecretBox; personalData: readonly PersonalData[] }

/** Erases a person from everything, in one transaction, and records the erasure. */
export const erasePerson = (
  context: ErasureContext,
  person: PersonAddress,
  options: ErasureOptions,
): Promise<DoneErasure> =>
  context.db.transaction(async (tx) => (await eraseWithin(tx, context, person, options)).erasure)

/** Returns what an erasure would do, by running it and rolling back. */
export async function rehearseErasure(context: ErasureContext, person: PersonAddress) {
  let found: Awaited<ReturnType<typeof eraseWithin>> | undefined
  await context.db
    .transaction(async (tx) => {
      found = await eraseWithin(tx, context, person, { actor: { me: null } })
      tx.rollback()
    })
    .catch((error: unknown) => {
      if (!found) throw error
    })
  return found!
}

export const sumCounts = (counts: Record<string, number>) => Object.values(counts).reduce((sum, rows) => sum + rows, 0)

async function eraseWithin(
  tx: Tx,
  { secrets, personalData }: ErasureContext,
  address: PersonAddress,
  options: ErasureOptions,
) {
  const { actor, total, listKey = randomUUID() } = options
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('erasing a person'))`)
  const { person, leads, also } = await findPerson(tx, address, personalData)
  const [begun] = await tx
    .insert(erasuresTable)
    .values({
      list_key: listKey,
      person: secrets.seal(JSON.stringify(address), erasurePersonAad(listKey)),
      counts: {},
      user_id: actor.me?.id ?? null,
      username: actor.me?.username ?? null,
    })
    .returning()
  await tx.execute(sql`select set_config('leadline.erasure', ${String(begun!.id)}, true)`)
  const counts: Record<string, number> = {}
  for (const { label, erase } of personalData) counts[label] = await erase(tx, person, secrets)
  if (total !== undefined && total !== sumCounts(counts)) throw conflictError(erasureMessages.changed)
  const [erasure] = await tx.update(erasuresTable).set({ counts }).where(sql`id = ${begun!.id}`).returning()
  await writeAudit(tx, actor, { kind: 'erasure', rowId: erasure!.id, before: null, after: counts })
  return { erasure: erasure!, leads, also }
}
