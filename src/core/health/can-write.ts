import { sql } from 'drizzle-orm'
import type { CoreContext } from '../core-context.ts'

/**
 * Returns whether the database can write. On a full disk a read still works, and so does an update of the heartbeat row, whose
 * page has room. Only a new file, larger than any leftover space, proves that there is room on the disk.
 */
export async function canWriteDatabase({ db, log }: Pick<CoreContext, 'db' | 'log'>): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local work_mem = '64kB'`)
      await tx.execute(sql`select count(*) from generate_series(1, 20000)`) // half a megabyte, which goes to a temporary file
      await tx.execute(
        sql`insert into heartbeat (id, at) values (1, now()) on conflict (id) do update set at = excluded.at`,
      )
    })
    return true
  } catch (error) {
    log.warn({ err: error }, 'not ready')
    return false
  }
}
