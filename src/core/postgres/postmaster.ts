import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { getErrorCode } from '../error-code.ts'

/** A running server of this cluster; `orphan` if the process that started it is dead. */
export type PostmasterProcess = { pid: number; orphan: boolean }

/** The setting on a server's command line that names the process that started it. */
export const ownerSetting = 'leadline.owner'

/**
 * Returns the running server of this cluster. Leaves a stale pid file to PostgreSQL, which also checks whether a child of the dead
 * server is still writing. Removes it only if its number now belongs to another program, or to a zombie that is never reaped, as
 * happens in containers: PostgreSQL would take that for a server and give up.
 */
export function findPostmaster(cluster: string, patient: boolean): PostmasterProcess | null {
  const file = join(cluster, 'postmaster.pid')
  const pid = readPidFile(file)
  if (!pid || !isProcessAlive(pid)) return null
  const command = readCommandLine(pid)
  if (command.includes(cluster)) {
    const owner = Number(command.match(`${ownerSetting}=(\\d+)`)?.[1])
    return { pid, orphan: !isProcessAlive(owner) || readCommandLine(owner) === '' }
  }
  if (command !== '' || !patient) rmSync(file, { force: true })
  return null
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return getErrorCode(error) === 'EPERM'
  }
}

/** Returns the command line of a process, from /proc, or from ps on macOS. */
function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout ?? ''
  }
}

function readPidFile(file: string): number {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10)
  } catch {
    return 0
  }
}
