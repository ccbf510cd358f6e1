import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { getErrorCode } from '../error-code.ts'
import { buildCommand, type PostgresHome, preparePostgresHome } from './postgres-home.ts'
import { findPostmaster, isProcessAlive, ownerSetting, type PostmasterProcess } from './postmaster.ts'

export type PostgresConnection = { host: string; port: number; user: string; database: string }
type PostgresLogger = { debug(line: string): void; info(line: string): void; warn(line: string): void }
type PostgresOptions = { dataDir: string; settings?: Record<string, string>; log: PostgresLogger }
type RunningPostgres = { connection: PostgresConnection; stop(): Promise<void> }

/** Returns the connection as a URL, optionally with another database. */
export function toConnectionUrl(connection: PostgresConnection, database = connection.database): string {
  const { user, host, port } = connection
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

/**
 * Starts the private PostgreSQL under `dataDir`, or joins the one that already runs there, and restarts it if it dies, until
 * `stop()`. It listens only on a Unix socket, in a directory closed to other accounts.
 */
export async function startPostgres({ dataDir, settings = {}, log }: PostgresOptions): Promise<RunningPostgres> {
  const home = preparePostgresHome(dataDir, settings.fsync !== 'off')
  const connection = { host: home.socket, port: 5432, user: 'leadline', database: 'leadline' }
  const ending = new AbortController()
  let server = await startOrJoin(home, settings, connection, log, ending.signal)
  const kept = keep()

  async function keep() {
    for (;;) {
      await server.gone
      if (ending.signal.aborted) return
      log.warn(`PostgreSQL has stopped (${server.lastWords()}); restarting it`)
      const next = await comeBack()
      if (!next) return
      server = next
      log.info('PostgreSQL is running again')
      if (ending.signal.aborted) await server.stop() // stop() was called during the restart, and stopped only the old server
    }
  }

  async function comeBack(): Promise<PostgresServer | null> {
    while (!ending.signal.aborted) {
      try {
        return await startOrJoin(home, settings, connection, log, ending.signal)
      } catch (error) {
        if (ending.signal.aborted) break
        log.warn(String(error))
        await pause(1000, undefined, { signal: ending.signal }).catch(() => {})
      }
    }
    return null
  }

  return {
    connection,
    async stop() {
      ending.abort()
      await server.stop()
      await kept
    },
  }
}

const defaultSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '256MB',
  max_connections: '100',
  wal_compression: 'on',
  random_page_cost: '1.1', // assumes an SSD
  jit: 'off', // compiling costs more than it saves on queries that take milliseconds
  timezone: 'UTC',
  // The app logs its own failed queries; PostgreSQL's log of them would contain personal data.
  log_min_error_statement: 'panic',
  log_min_messages: 'log',
}

/** A run of the server that this process or another one of this checkout started. */
type PostgresServer = { gone: Promise<void>; isGone(): boolean; lastWords(): string; stop(): Promise<void> }

/**
 * Returns a server that accepts connections. Retries while an old one is still shutting down (its app was just killed), or when
 * another process was faster.
 */
async function startOrJoin(
  home: PostgresHome,
  settings: Record<string, string>,
  connection: PostgresConnection,
  log: PostgresLogger,
  ending: AbortSignal,
): Promise<PostgresServer> {
  for (const began = Date.now(); ; ) {
    const running = findPostmaster(home.cluster, Date.now() - began < 1000)
    const server = running ? joinServer(running) : launchServer(home, settings, log)
    if (running?.orphan) await endOrphan(running, server)
    if (await waitUntilReady(server, connection, ending)) return server
    if (ending.aborted) {
      await server.stop()
      throw new Error('PostgreSQL was stopped before it answered')
    }
    const passing = running || /lock file|shared memory block/.test(server.lastWords())
    if (!passing || Date.now() - began > 60_000) throw new Error(`PostgreSQL does not start: ${server.lastWords()}`)
    await pause(25)
  }
}

/** Watches a server that another process started and will stop; `stop` only ends the watch. */
function joinServer({ pid }: PostmasterProcess): PostgresServer {
  let left = false
  const gone = (async () => {
    while (!left && isProcessAlive(pid)) await pause(50)
  })()
  const stop = () => {
    left = true
    return gone
  }
  return { gone, isGone: () => !isProcessAlive(pid), lastWords: () => 'stopped by another process', stop }
}

/** Stops the server of an app that was killed. Its watchdog does so too, unless it was killed as well. */
async function endOrphan({ pid }: PostmasterProcess, server: PostgresServer) {
  const tell = (signal: NodeJS.Signals) => isProcessAlive(pid) && process.kill(pid, signal)
  tell('SIGINT')
  const killTimer = setTimeout(() => tell('SIGQUIT'), 10_000)
  await server.gone
  clearTimeout(killTimer)
}

/**
 * Starts the server in its own process group, so that a Ctrl-C in the terminal reaches only the app, which drains first. If the
 * app is killed, the watchdog's pipe closes and it shuts the server down.
 */
function launchServer(home: PostgresHome, settings: Record<string, string>, log: PostgresLogger): PostgresServer {
  const ours = { unix_socket_directories: home.socket, [ownerSetting]: String(process.pid) }
  const chosen = { ...defaultSettings, ...settings, ...ours }
  const options = Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = buildCommand(home, 'postgres', ['-D', home.cluster, ...options])
  const child = spawn(command.file, command.args, {
    ...command.options,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const watchdog = spawn('sh', ['-c', 'read -r _; kill -INT "$1"', 'leadline-watchdog', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const words = collectServerLog(child, log)
  let exited = false
  const gone = new Promise<void>((resolve) => {
    const done = () => {
      exited = true
      watchdog.kill('SIGKILL')
      resolve()
    }
    // `close` also waits for the server's children, which may outlive a killed server by a moment.
    child.once('close', done)
    child.once('exit', () => setTimeout(done, 1000).unref())
    child.once('error', (error) => {
      words.push(error.message)
      done()
    })
  })
  return {
    gone,
    isGone: () => exited,
    lastWords: () => words.slice(-4).join(' ') || `exit code ${child.exitCode}, signal ${child.signalCode}`,
    async stop() {
      if (!exited) child.kill('SIGINT') // fast shutdown: rolls back open transactions and flushes committed ones
      const killTimer = setTimeout(() => child.kill('SIGQUIT'), 20_000)
      await gone
      clearTimeout(killTimer)
    },
  }
}

/** Logs the server's output, and keeps the last lines for the message when it fails. */
function collectServerLog(child: ChildProcess, log: PostgresLogger): string[] {
  const words: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter(Boolean)) {
      words.push(line)
      log.debug(`postgres: ${line}`)
    }
    words.splice(0, words.length - 20)
  })
  return words
}

/** Resolves true as soon as the server accepts a connection, false if it stops first. Creates the database the first time. */
async function waitUntilReady(
  server: PostgresServer,
  connection: PostgresConnection,
  ending: AbortSignal,
): Promise<boolean> {
  while (!server.isGone() && !ending.aborted) {
    try {
      await queryOnce(connection, 'select 1')
      return true
    } catch (error) {
      if (getErrorCode(error) === databaseMissingCode) await createDatabase(connection)
      else await pause(20)
    }
  }
  return false
}

const databaseMissingCode = '3D000'
const alreadyExistsCodes = ['42P04', '23505']

async function createDatabase(connection: PostgresConnection) {
  try {
    await queryOnce({ ...connection, database: 'postgres' }, `create database "${connection.database}"`)
  } catch (error) {
    if (!alreadyExistsCodes.includes(getErrorCode(error))) throw error
  }
}

async function queryOnce(connection: PostgresConnection, query: string) {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 })
  client.on('error', () => {}) // the query's promise rejects
  try {
    await client.connect()
    await client.query(query)
  } finally {
    await client.end().catch(() => {})
  }
}
