import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join, resolve } from 'node:path'

/** The browser's path, and the environment that it needs to start. */
export type FoundBrowser = { path: string; env: Record<string, string> }

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'google-chrome-unstable']

/**
 * Returns the browser in CHROME_PATH, else the one from npm, which is unpacked the first time, else an installed one.
 * The one from npm is headless, which makes it a third faster, and is the same on every machine.
 */
export async function findBrowser(): Promise<FoundBrowser | null> {
  if (process.env.CHROME_PATH) return { path: process.env.CHROME_PATH, env: {} }
  if (process.platform === 'linux' && process.arch === 'x64') {
    const brought = await fromNpm()
    if (starts(brought)) return brought
  }
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  const places = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), mac]
  const installed = places.find((path) => existsSync(path))
  return installed ? { path: installed, env: {} } : null
}

const starts = ({ path, env }: FoundBrowser) =>
  spawnSync(path, ['--version'], { env: { ...process.env, ...env }, stdio: 'ignore' }).status === 0

/** @sparticuz/chromium is a packed browser that brings the libraries a bare machine lacks. */
async function fromNpm(): Promise<FoundBrowser> {
  const home = resolve(import.meta.dirname, '../.node/chromium')
  if (!existsSync(home)) await unpack(home)
  const env: Record<string, string> = { LD_LIBRARY_PATH: join(home, 'al2023', 'lib') }
  if (!existsSync('/etc/fonts/fonts.conf')) env.FONTCONFIG_PATH = join(home, 'fonts')
  return { path: join(home, 'chromium'), env }
}

/** Unpacks into a separate directory and renames it, so that a killed run leaves no broken browser. */
async function unpack(home: string) {
  const draft = `${home}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  const before = process.env.TMPDIR
  process.env.TMPDIR = draft // the package unpacks into the temporary folder
  try {
    const { default: chromium, inflate } = await import('@sparticuz/chromium')
    const packed = resolve(createRequire(import.meta.url).resolve('@sparticuz/chromium'), '../../bin')
    await chromium.executablePath()
    await inflate(join(packed, 'al2023.tar.br'))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  try {
    renameSync(draft, home)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}
