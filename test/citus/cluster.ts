import pg from 'pg'
import type { PostgresConnection } from '#core/postgres/postgres.ts'
import { citusScriptStatements } from './distribution.ts'

type CitusNode = { host: string; port: number }

/** A cluster that is there already: tests make their databases on it. */
export type CitusCluster = { coordinator: PostgresConnection; self: CitusNode; workers: CitusNode[]; version: string }

/** Looks up the workers of the cluster whose coordinator has this address. Throws if there are fewer than two. */
export async function findCitusCluster(address: string): Promise<CitusCluster> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    const { rows } = await client.query<{ version: string }>(
      `select extversion as version from pg_extension where extname = 'citus'`,
    )
    const nodes = rows.length > 0 ? await readNodes(client) : []
    const workers = nodes.filter(({ group }) => group > 0)
    if (workers.length < 2)
      throw new Error(`${client.database} on ${client.host} needs the extension citus and two workers added to it`)
    const { host, port, user = '', database = '' } = client // set by the address, or by pg
    const self = nodes.find(({ group }) => group === 0) ?? { host, port }
    return { coordinator: { host, port, user, database }, self, workers, version: rows[0]!.version }
  } finally {
    await client.end()
  }
}

async function readNodes(client: pg.Client) {
  const { rows } = await client.query<CitusNode & { group: number }>(
    `select nodename as host, nodeport as port, groupid as "group" from pg_dist_node
     where isactive and noderole = 'primary' order by groupid`,
  )
  return rows
}

/** Adds the workers to a database of the coordinator, as docs/scaling.md says. They must let the same user in. */
export async function addWorkers({ coordinator, self, workers }: CitusCluster, database: string): Promise<void> {
  // One at a time: adding a worker writes the roles that all databases share.
  const turn = new pg.Client({ ...coordinator, database: 'postgres' })
  await turn.connect()
  const addressOf = ({ host, port }: CitusNode) => `${pg.escapeLiteral(host)}, ${port}`
  try {
    await turn.query('select pg_advisory_lock(1)')
    for (const worker of workers) {
      await runOn({ ...coordinator, ...worker, database: 'postgres' }, [`create database ${database}`])
      await runOn({ ...coordinator, ...worker, database }, ['create extension citus'])
    }
    await runOn({ ...coordinator, database }, [
      'create extension citus',
      `select citus_set_coordinator_host(${addressOf(self)})`,
      ...workers.map((worker) => `select citus_add_node(${addressOf(worker)})`),
    ])
  } finally {
    await turn.end()
  }
}

export async function distributeDatabase(cluster: CitusCluster, database: string): Promise<void> {
  await addWorkers(cluster, database)
  await runOn({ ...cluster.coordinator, database }, citusScriptStatements)
}

/** Drops a database on every machine. */
export async function dropDatabase({ coordinator, workers }: CitusCluster, database: string): Promise<void> {
  for (const machine of [coordinator, ...workers])
    await runOn({ ...coordinator, ...machine, database: 'postgres' }, [
      `drop database if exists ${database} with (force)`,
    ])
}

/** Returns the coordinator's databases whose names begin so. */
export async function listDatabases({ coordinator }: CitusCluster, beginning: string): Promise<string[]> {
  const client = new pg.Client({ ...coordinator, database: 'postgres' })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [beginning],
  )
  await client.end()
  return rows.map(({ datname }) => datname)
}

async function runOn(connection: PostgresConnection, statements: readonly string[]) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
