import { and, eq, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { connectionsTable } from '../schema.ts'

/** What became of an attempt to use a connection: refused is the service's answer, unreachable is none. */
export type ConnectionOutcome =
  | { state: 'works'; says?: string; account?: { id: string; name: string } }
  | { state: 'refused' | 'unreachable'; says: string }

/** Two refusals this far apart are no accident. */
const lostAfter = sql`interval '5 minutes'`

/**
 * Records what became of an attempt. A connection that is refused again five minutes after it was first refused is lost, until the
 * first success.
 */
export async function recordConnectionUse(db: DbOrTx, id: number, outcome: ConnectionOutcome): Promise<void> {
  const { state, says, refused_since, lost_since, used_at } = connectionsTable
  const common = { state: outcome.state, ...(outcome.says !== undefined && { says: outcome.says.slice(0, 1000) }) }
  const set =
    outcome.state === 'works'
      ? {
          ...common,
          ...(outcome.says === undefined && { says: sql`case when ${state} = 'works' then ${says} end` }),
          ...{ used_at: sql`now()`, refused_since: null, lost_since: null, ...readAccount(outcome) },
        }
      : outcome.state === 'unreachable'
        ? common
        : {
            ...common,
            refused_since: sql`coalesce(${refused_since}, now())`,
            lost_since: sql`coalesce(${lost_since}, case when ${refused_since} <= now() - ${lostAfter} then now() end)`,
          }
  // Many emails a second are no reason to write as often.
  const isNews =
    outcome.state === 'works' && outcome.says === undefined
      ? sql`(${state} <> 'works' or ${used_at} < now() - interval '10 seconds')`
      : undefined
  await db
    .update(connectionsTable)
    .set(set)
    .where(and(eq(connectionsTable.id, id), isNews))
}

const readAccount = ({ account }: Extract<ConnectionOutcome, { state: 'works' }>) =>
  account && { account_id: account.id, account_name: account.name }
