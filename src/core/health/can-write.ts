import { sql } from 'drizzle-orm'
import type { CoreContext } from '../core-context.ts'

/**
 * A write proves what a read does not: on a full disk `select 1` still works. So does writing over what is there already: the
 * heartbeat's page has room in itself. Only a file that is new, and larger than whatever stays free by chance, proves room.
 */
export async function canWriteDatabase({ db, log }: Pick<CoreContext, 'db' | 'log'>): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local work_mem = '64kB'`)
      await tx.execute(sql`select count(*) from generate_series(1, 20000)`) // half a megabyte, which goes to a file that is gone afterwards
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
