import { createHash } from 'node:crypto'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runOnce } from './lock.mjs'
import { npm } from './npm.mjs'
import { root, say } from './root.mjs'

const lock = join(root, 'package-lock.json')
const stamp = join(root, 'node_modules/.leadline-lock')

/** Installs the packages of package-lock.json, unless they are installed. Development packages too: they build the web. */
export async function install() {
  const wanted = createHash('sha256').update(readFileSync(lock)).digest('hex')
  const installed = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  await runOnce('install', installed, async () => {
    if (!areInstalled()) {
      say('installing packages')
      // Not `npm ci`: it empties node_modules under running processes. This installs the locked versions.
      await npm('install', '--no-save', '--include=dev')
    }
    linkCommand()
    writeFileSync(stamp, wanted)
  })
}

/** Returns whether an npm run by hand has already installed the same packages. */
function areInstalled() {
  const note = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(note)) return false
  const wanted = Object.entries(JSON.parse(readFileSync(lock, 'utf8')).packages)
  const there = JSON.parse(readFileSync(note, 'utf8')).packages
  return wanted.every(([path, { version, optional }]) => path === '' || optional || there[path]?.version === version)
}

/** Links our own command, so that `npx leadline` works: npm links the commands of packages only. */
function linkCommand() {
  const link = join(root, 'node_modules/.bin/leadline')
  if (!existsSync(link)) symlinkSync('../../bin/leadline.mjs', link)
}
