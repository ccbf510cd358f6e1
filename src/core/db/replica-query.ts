import type { House } from '../app-context.ts'
import { gaveWay, isUnavailable } from '../http/errors.ts'
import type { Db } from './db.ts'

/** Reads for a report: on the replica while there is one that answers, otherwise where everything else is read. */
export async function report<T>({ db, replica, log }: House, read: (db: Db) => Promise<T>): Promise<T> {
  if (!replica) return read(db)
  try {
    return await read(replica.db)
  } catch (error) {
    // It also ends what reads a row that was meanwhile cleaned up on the primary.
    if (!isUnavailable(error) && !gaveWay(error)) throw error
    log.warn({ err: error }, 'the replica did not answer')
    return read(db)
  }
}
