import type { CoreContext } from '../core-context.ts'
import { isDatabaseUnavailable, isSerializationFailure } from '../http/errors.ts'
import type { Db } from './db.ts'

/** Runs a report's queries on the replica, or on the primary if there is no replica or it is not available. */
export async function readFromReplica<T>(
  { db, replica, log }: Pick<CoreContext, 'db' | 'replica' | 'log'>,
  read: (db: Db) => Promise<T>,
): Promise<T> {
  if (!replica) return read(db)
  try {
    return await read(replica.db)
  } catch (error) {
    // A replica also cancels queries that need rows which were vacuumed on the primary.
    if (!isDatabaseUnavailable(error) && !isSerializationFailure(error)) throw error
    log.warn({ err: error }, 'the replica did not answer')
    return read(db)
  }
}
