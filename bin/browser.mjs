import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { say } from './root.mjs'

/**
 * The browser tests need a Chromium: an installed one, else the one that comes as a package of npm, which
 * test/find-browser.ts unpacks in three seconds and which needs nothing of the system. npm has it for Linux on x64 only;
 * elsewhere root can have Debian's.
 */
export function haveBrowser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  if (process.env.CHROME_PATH || names.some(onPath)) return
  if (process.platform === 'linux' && process.arch === 'x64') return
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return
  say('installing Chromium for the browser tests (apt-get)')
  const impatient = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::https::Timeout=15']
  const options = { stdio: 'ignore', timeout: 240_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...impatient, ...args], options).status === 0
  const installed = apt('update') && apt('install', '-y', '--no-install-recommends', 'chromium')
  if (!installed) say('that did not work; the browser tests will say so')
}

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
}
