import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { createContext, startWorkers } from '#app/server/context.ts'
import { createApp } from '#app/server/server.ts'
import { usersTable } from '#domains/access/schema.ts'
import { startSession } from '#domains/access/server/session-tokens.ts'
import type { AppContext } from '#domains/app-context.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { startFloor } from './floor.ts'

/**
 * One side of the comparison in its own process: `ours` is the whole app as it ships, its log lines written (to
 * nowhere) and its jobs running; `floor` is a bare server. On the message `watch`, ours reports each statement it sends from then on.
 */
export type Statement = { text: string; values: unknown[] }
export type Ready = { url: string; token: string }
export const signingKey = 'bench-signing-key'

const [side = '', databaseUrl = ''] = process.argv.slice(2)
process.on('disconnect', () => process.exit(0))

if (side === 'floor') {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
  const { url } = await startFloor(pool)
  process.send?.({ url, token: '' } satisfies Ready)
} else if (side === 'ours') {
  const settings = parseSettings({
    DATABASE_URL: databaseUrl,
    PORT: '0',
    DATA_DIR: join(import.meta.dirname, 'data', 'files'),
    APP_ENV: 'test',
    SECRET_KEY: '5e'.repeat(32),
    CALLRAIL_SIGNING_KEY: signingKey,
  })
  const context = await createContext(settings, databaseUrl)
  // These sites do not exist: requests to them would be measured with the rest.
  await context.db.execute(sql`update client_sites set next_check_at = 'infinity'`)
  await startWorkers(context)
  const app = await createApp(context)
  await app.listen({ port: 0, host: '127.0.0.1' })
  watch(context)
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` // it listens on a port
  process.send?.({ url, token: await signIn(context) } satisfies Ready)
}

async function signIn({ db }: AppContext): Promise<string> {
  await db
    .insert(usersTable)
    .values({
      username: 'bench',
      email: 'bench@example.com',
      role: 'super_admin',
      password_hash: 'none',
      saw_tour: true,
    })
    .onConflictDoNothing()
  const found = await db.execute<{ id: number }>(sql`select id from users where username = 'bench'`)
  return startSession(db, found.rows[0]!.id, 'password', '127.0.0.1')
}

/** Reports the app's own statements, with their values, for bench/plans. */
function watch({ pool }: AppContext) {
  let seen: Statement[] | null = null
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown // one of its many overloads
  const watched = (...args: unknown[]) => {
    const [first, second] = args as [string | { text: string; values?: unknown[] }, unknown]
    const text = typeof first === 'string' ? first : first.text
    const values = Array.isArray(second) ? second : typeof first === 'string' ? [] : (first.values ?? [])
    seen?.push({ text, values })
    return query(...args)
  }
  pool.query = watched as typeof pool.query
  process.on('message', (word) => {
    if (word === 'watch') seen = []
    if (word === 'tell') process.send?.(seen ?? [])
  })
}
