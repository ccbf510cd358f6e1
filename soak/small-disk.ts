import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate disk that can be filled to its last byte. */
export type SmallDisk = { folder: string; fill(): void; free(): void; remove(): void }

/** Mounts a small disk in memory, or returns why that failed: mounting needs rights that an ordinary user lacks. */
export function smallDisk(megabytes: number): SmallDisk | string {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder], {
    encoding: 'utf8',
  })
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true })
    return `this machine mounts no disk for us: ${mounted.stderr?.trim() || mounted.error?.message}`
  }
  const filler = join(folder, 'filler')
  mkdirSync(join(folder, 'data'), { mode: 0o711 })
  return {
    folder: join(folder, 'data'),
    fill: () => fill(filler),
    free: () => rmSync(filler),
    remove: () => {
      unmountDisks(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Unmounts the disks at or below a folder: a process that is killed leaves them, and their folder cannot be removed before. */
export function unmountDisks(folder: string) {
  const mounts = '/proc/mounts' // Linux; where it is missing, no disk was mounted
  if (!existsSync(mounts)) return
  for (const line of readFileSync(mounts, 'utf8').split('\n')) {
    const [, place = ''] = line.split(' ')
    if (`${place}/`.startsWith(`${folder}/`)) spawnSync('umount', ['--lazy', place])
  }
}

/** Writes large pieces first, then smaller and smaller ones, until no byte fits. */
function fill(path: string) {
  const file = openSync(path, 'w')
  for (let size = 1024 * 1024; size >= 1; size = size >> 1) {
    const piece = Buffer.alloc(size, 1)
    try {
      while (writeSync(file, piece) > 0);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
  closeSync(file)
}
