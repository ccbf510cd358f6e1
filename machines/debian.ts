import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '#test/until.ts'

/** Starts the programs of Debian's packages postgresql, pgbouncer and haproxy with configurations of our own. */

const versions = '/usr/lib/postgresql'
const bin = () => {
  const newest = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0] : undefined
  if (!newest) throw new Error('There is no PostgreSQL here: apt-get install postgresql')
  return join(versions, newest, 'bin')
}

/** Returns the account postgres if we are root, because PostgreSQL and PgBouncer refuse to run as root. */
const postgresUser = () => {
  if (process.getuid?.() !== 0) return {}
  const number = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}
type User = ReturnType<typeof postgresUser>

const running: { child: ChildProcess; signal: NodeJS.Signals }[] = []
const folders: string[] = []

function start(program: string, args: string[], user: User, signal: NodeJS.Signals = 'SIGTERM') {
  if (!existsSync(program)) throw new Error(`There is no ${program} here: apt-get install postgresql pgbouncer haproxy`)
  const child = spawn(program, args, { ...user, stdio: 'ignore' })
  running.push({ child, signal })
  return child
}

function place(name: string, user: User): string {
  const folder = mkdtempSync(join(tmpdir(), `leadline-${name}-`))
  if (user.uid !== undefined) execFileSync('chown', [`${user.uid}:${user.gid}`, folder])
  folders.push(folder)
  return folder
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number } // it listens on a port
  server.close()
  return port
}

const isUp = (port: number) =>
  until(() => {
    try {
      execFileSync(join(bin(), 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)])
      return true
    } catch {
      return false
    }
  }, 30)

export type Postgres = { url: string; port: number; version: string; child: ChildProcess }
const addressOf = (port: number) => `postgres://leadline@127.0.0.1:${port}/leadline`

/** Starts a primary that ships its log, with an empty database. */
export async function startPrimary(): Promise<Postgres & { folder: string }> {
  const user = postgresUser()
  const folder = join(place('primary', user), 'data')
  execFileSync(join(bin(), 'initdb'), ['-D', folder, '-U', 'leadline', '-A', 'trust', '--locale=C.UTF-8'], user)
  const port = await freePort()
  const child = start(join(bin(), 'postgres'), options(folder, port), user, 'SIGINT')
  await isUp(port)
  execFileSync(join(bin(), 'createdb'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'leadline', 'leadline'])
  const version = execFileSync(join(bin(), 'postgres'), ['--version'], { encoding: 'utf8' }).trim()
  return { url: addressOf(port), port, folder, version, child }
}

/** Starts a streaming replica of the primary. */
export async function startReplica(primary: Postgres): Promise<Postgres> {
  const user = postgresUser()
  const folder = join(place('replica', user), 'data')
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'leadline']
  execFileSync(join(bin(), 'pg_basebackup'), [...from, '-D', folder, '-R', '--checkpoint=fast'], user)
  const port = await freePort()
  const child = start(join(bin(), 'postgres'), options(folder, port), user, 'SIGINT')
  await isUp(port)
  return { ...primary, url: addressOf(port), port, child }
}

const options = (folder: string, port: number) =>
  ['-D', folder, '-h', '127.0.0.1', '-p', String(port), '-k', ''].concat(
    ['max_connections=200', 'hot_standby_feedback=on'].flatMap((setting) => ['-c', setting]),
  )

/** Starts PgBouncer in transaction mode, with fewer connections to PostgreSQL than it accepts from clients. */
export async function startPooler(postgres: Postgres): Promise<string> {
  const user = postgresUser()
  const folder = place('pgbouncer', user)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
leadline = host=127.0.0.1 port=${postgres.port} dbname=leadline
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = 12
max_client_conn = 500
ignore_startup_parameters = extra_float_digits
`,
  )
  writeFileSync(join(folder, 'users'), '"leadline" ""\n')
  start('/usr/sbin/pgbouncer', [file], user)
  await isUp(port)
  return addressOf(port)
}

/** Starts HAProxy in front of these ports, round robin; a process that is asked to stop gets no more requests. */
export async function startProxy(ports: number[]): Promise<string> {
  const folder = place('haproxy', {})
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const servers = ports.map((one, index) => `  server web${index} 127.0.0.1:${one} check`).join('\n')
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  option forwardfor
  retries 3
frontend all
  bind 127.0.0.1:${port}
  default_backend leadline
backend leadline
  balance roundrobin
  option httpchk GET /servez
  default-server inter 300ms fall 1 rise 1
${servers}
`,
  )
  start('/usr/sbin/haproxy', ['-f', file], {}, 'SIGTERM')
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(answers, 20)
  return url
}

/** Stops everything that was started here, in reverse order. */
export async function stopAll(): Promise<void> {
  for (const { child, signal } of running.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill(signal)
    await Promise.race([once(child, 'exit'), new Promise((resolve) => setTimeout(resolve, 10_000))])
    child.kill('SIGKILL')
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
