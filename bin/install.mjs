import { createHash } from 'node:crypto'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { taking } from './lock.mjs'
import { npm } from './npm.mjs'
import { root, say } from './root.mjs'

const lock = join(root, 'package-lock.json')
const stamp = join(root, 'node_modules/.leadline-lock')

/** Installs the packages of package-lock.json, unless that was done. Those for development too: they build the web. */
export async function install() {
  const wanted = createHash('sha256').update(readFileSync(lock)).digest('hex')
  const installed = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  await taking('install', installed, async () => {
    if (!agrees()) {
      say('installing packages')
      // Not `npm ci`: it refuses a lock file that lacks the binaries of some other platform, which happens whenever a
      // registry did not have them, and it empties node_modules under running processes. This installs what is locked.
      await npm('install', '--no-save', '--include=dev')
    }
    linkCommand()
    writeFileSync(stamp, wanted)
  })
}

/** Returns whether npm, when run by hand, has installed the same packages already. */
function agrees() {
  const note = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(note)) return false
  const wanted = Object.entries(JSON.parse(readFileSync(lock, 'utf8')).packages)
  const there = JSON.parse(readFileSync(note, 'utf8')).packages
  return wanted.every(([path, { version, optional }]) => path === '' || optional || there[path]?.version === version)
}

/** npm links the commands of packages, not of the checkout itself: so that `npx leadline` starts at once. */
function linkCommand() {
  const link = join(root, 'node_modules/.bin/leadline')
  if (!existsSync(link)) symlinkSync('../../bin/leadline.mjs', link)
}
