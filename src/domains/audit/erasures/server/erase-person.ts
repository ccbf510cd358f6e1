import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { corePersonalData } from '#core/audit/erase-audit.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Db, Tx } from '#core/db/db.ts'
import type { PersonalData } from '#core/erasure/personal-data.ts'
import { conflictError } from '#core/http/errors.ts'
import type { SecretBox } from '#core/secrets/secrets.ts'
import { accessPersonalData } from '#domains/access/public.ts'
import { activityPersonalData } from '#domains/activity/public.ts'
import { billingPersonalData } from '#domains/billing/public.ts'
import { campaignsPersonalData } from '#domains/campaigns/public.ts'
import { importsPersonalData } from '#domains/imports/public.ts'
import { leadsPersonalData } from '#domains/leads/public.ts'
import { signalsPersonalData } from '#domains/signals/public.ts'
import { webhooksPersonalData } from '#domains/webhooks/public.ts'
import { erasureMessages } from '../contract.ts'
import { erasurePersonAad, erasuresTable } from '../schema.ts'
import { findPerson, type PersonAddress } from './find-person.ts'

/** Everything that may hold data of people outside the agency. `test/personal-data.test.ts` fails for a table that is missing here. */
export const allPersonalData: readonly PersonalData[] = [
  ...leadsPersonalData,
  ...importsPersonalData,
  ...webhooksPersonalData,
  ...signalsPersonalData,
  ...activityPersonalData,
  ...billingPersonalData,
  ...campaignsPersonalData,
  ...accessPersonalData,
  ...corePersonalData,
]

type ErasureOptions = {
  actor: AuditActor
  /** The rehearsal's total; throws 409 if it has changed. Omitted for a replay. */
  total?: number
  /** Set when an erasure is replayed. */
  listKey?: string
}
export type DoneErasure = typeof erasuresTable.$inferSelect

type ErasureContext = { db: Db; secrets: SecretBox }

/** Erases a person from everything, in one transaction, and records the erasure. */
export const erasePerson = (
  context: ErasureContext,
  person: PersonAddress,
  options: ErasureOptions,
): Promise<DoneErasure> =>
  context.db.transaction(async (tx) => (await eraseWithin(tx, context.secrets, person, options)).erasure)

/** Returns what an erasure would do, by running it and rolling back. */
export async function rehearseErasure({ db, secrets }: ErasureContext, person: PersonAddress) {
  let found: Awaited<ReturnType<typeof eraseWithin>> | undefined
  await db
    .transaction(async (tx) => {
      found = await eraseWithin(tx, secrets, person, { actor: { me: null } })
      tx.rollback()
    })
    .catch((error: unknown) => {
      if (!found) throw error
    })
  return found!
}

export const sumCounts = (counts: Record<string, number>) => Object.values(counts).reduce((sum, rows) => sum + rows, 0)

async function eraseWithin(tx: Tx, secrets: SecretBox, address: PersonAddress, options: ErasureOptions) {
  const { actor, total, listKey = randomUUID() } = options
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('erasing a person'))`)
  const { person, leads, also } = await findPerson(tx, address, allPersonalData)
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
  for (const { label, erase } of allPersonalData) counts[label] = await erase(tx, person, secrets)
  if (total !== undefined && total !== sumCounts(counts)) throw conflictError(erasureMessages.changed)
  const [erasure] = await tx.update(erasuresTable).set({ counts }).where(sql`id = ${begun!.id}`).returning()
  await writeAudit(tx, actor, { kind: 'erasure', rowId: erasure!.id, before: null, after: counts })
  return { erasure: erasure!, leads, also }
}
