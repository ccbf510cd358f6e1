import type { DbOrTx, Tx } from '#core/db/db.ts'
import { forbiddenError } from '#core/http/errors.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { lockClient } from './mutations.ts'
import { readClient } from './queries.ts'

/** Reads a client whose campaigns this person all has. Throws 404 for a client they do not see, 403 for one they see in part. */
export async function requireWholeClient(db: DbOrTx, me: CurrentUser, id: number) {
  const client = await readClient(db, me, id)
  if (!client.may_change) throw forbiddenError()
  return client
}

/** Reads it the same way, locked until the transaction ends. */
export const lockWholeClient = async (tx: Tx, me: CurrentUser, id: number) => {
  await lockClient(tx, me, id)
  return requireWholeClient(tx, me, id)
}
