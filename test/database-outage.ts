import pg from 'pg'
import { inject } from 'vitest'

/** Takes a database away, as a restart of PostgreSQL does, until the returned function gives it back. */
export async function takeDatabaseAway(url: string): Promise<() => Promise<void>> {
  const name = new URL(url).pathname.slice(1)
  const run = async (...statements: string[]) => {
    const server = new pg.Client({ ...inject('postgres'), database: 'postgres' })
    await server.connect()
    for (const statement of statements) await server.query(statement)
    await server.end()
  }
  await run(
    `alter database ${name} with allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
  return () => run(`alter database ${name} with allow_connections true`)
}
