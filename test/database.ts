import pg from 'pg'
import { inject } from 'vitest'
import { toConnectionUrl } from '#core/postgres/postgres.ts'

let count = 0

/** Creates an empty database, migrated unless told otherwise. `drop` also closes open connections. */
export async function createDatabase({ migrated = true } = {}): Promise<{ url: string; drop(): Promise<void> }> {
  const connection = inject('postgres')
  count += 1
  const name = `test_${process.pid}_${count}`
  await run(`create database ${name} ${migrated ? 'template template strategy file_copy' : ''}`)
  return { url: toConnectionUrl(connection, name), drop: () => run(`drop database if exists ${name} with (force)`) }
}

async function run(command: string) {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  try {
    await client.query(command)
  } finally {
    await client.end()
  }
}
