import { mkdirSync, readFileSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fetched } from './root.mjs'

/** Does a step once: of several processes that start together, one does it and the others wait. */
export async function runOnce(name, done, step) {
  if (done()) return
  mkdirSync(fetched, { recursive: true })
  const file = join(fetched, `${name}.lock`)
  while (!claim(file)) await pause(100)
  const beat = setInterval(() => utimes(file, new Date(), new Date(), () => {}), 1000)
  try {
    if (!done()) await step()
  } finally {
    clearInterval(beat)
    rmSync(file, { force: true })
  }
}

function claim(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!holderLives(file)) rmSync(file, { force: true }) // its holder was killed
    return false
  }
}

/** A process that is not the holder may have its id by now, such as after a restart of the machine: that does not touch the file. */
const silentAfterMs = 60_000

function holderLives(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > silentAfterMs) return false
    const pid = Number(readFileSync(file, 'utf8'))
    return pid === 0 || process.kill(pid, 0) // 0: just claimed, its id not yet written
  } catch (error) {
    return error.code === 'EPERM'
  }
}
