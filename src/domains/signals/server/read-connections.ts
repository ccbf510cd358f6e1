import { sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { listConnections } from '#domains/connections/public.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { messagesTable } from '#domains/messages/schema.ts'
import type { LostConnection } from './facts.ts'

/** Minutes that an email may wait before its mail server counts as lost. */
const waitingMinutes = 5

/** Reads the connections that do not work any more: refused again and again, or a mail server while emails wait. */
export async function readLostConnections(db: DbOrTx, context: AppContext, asOf: Date) {
  const inForce = await listConnections(context, undefined, db)
  const google = inForce.find(({ kind }) => kind === 'google')
  return { connections: await findLost(db, inForce, asOf), google_connection_id: google?.id ?? null }
}

type ListedConnection = Awaited<ReturnType<typeof listConnections>>[number]

async function findLost(db: DbOrTx, connections: ListedConnection[], asOf: Date): Promise<LostConnection[]> {
  const waiting = await readWaitingEmails(db, asOf)
  const lost = connections.flatMap(({ id, kind, name, says, lost_since }): LostConnection[] =>
    lost_since ? [{ id, kind, name, says, since: lost_since, waiting: kind === 'smtp' ? waiting.count : 0 }] : [],
  )
  const server = connections.find(({ kind }) => kind === 'smtp')
  if (!waiting.oldest || lost.some(({ kind }) => kind === 'smtp')) return lost
  if (!server)
    return [
      ...lost,
      { id: 0, kind: 'smtp', name: 'Mail server', says: null, since: waiting.oldest, waiting: waiting.count },
    ]
  const { id, name, says, state, used_at } = server
  const hasWorkedSince = used_at !== null && used_at >= waiting.oldest
  if (hasWorkedSince || (state !== 'refused' && state !== 'unreachable')) return lost
  return [...lost, { id, kind: 'smtp', name, says, since: waiting.oldest, waiting: waiting.count }]
}

async function readWaitingEmails(db: DbOrTx, asOf: Date) {
  const until = new Date(asOf.getTime() - waitingMinutes * 60_000).toISOString()
  const { rows } = await db.execute<{ count: number; oldest: string | null }>(sql`
    select count(*)::int as count, min(created_at) as oldest from (
      select created_at from ${mailsTable} where state = 'queued' and created_at <= ${until}
      union all
      select created_at from ${messagesTable} where state = 'queued' and channel = 'email' and created_at <= ${until}
    ) waiting`)
  const [{ count, oldest } = { count: 0, oldest: null }] = rows
  return { count, oldest: oldest ? new Date(oldest) : null }
}
