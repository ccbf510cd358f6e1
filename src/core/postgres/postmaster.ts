import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { getErrorCode } from '../error-code.ts'

/** A server of this cluster that somebody started: `orphan` when that somebody is dead, so that it ends any moment. */
export type PostmasterProcess = { pid: number; orphan: boolean }

/** What a server's command line carries so that others can tell whose it is. */
export const ownerSetting = 'leadline.owner'

/**
 * The live server of this cluster. A pid file that was left behind is PostgreSQL's to judge: it also knows
 * whether a child of the dead server is still writing. Except where the number belongs to some other program by now, or to a
 * corpse that nobody buries, as happens in containers: PostgreSQL would take that for a server and give up, so the file goes.
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

/** The command line of a process: from /proc where there is one, else from ps (macOS). */
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
