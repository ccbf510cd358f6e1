import type { CoreContext } from '../core-context.ts'
import { isDatabaseUnavailable, isSerializationFailure } from '../http/errors.ts'
import type { Db } from './db.ts'

/** Reads for a report: on the replica while there is one that answers, otherwise where everything else is read. */
export async function readFromReplica<T>(
  { db, replica, log }: Pick<CoreContext, 'db' | 'replica' | 'log'>,
  read: (db: Db) => Promise<T>,
): Promise<T> {
  if (!replica) return read(db)
  try {
    return await read(replica.db)
  } catch (error) {
    // It also ends what reads a row that was meanwhile cleaned up on the primary.
    if (!isDatabaseUnavailable(error) && !isSerializationFailure(error)) throw error
    log.warn({ err: error }, 'the replica did not answer')
    return read(db)
  }
}
