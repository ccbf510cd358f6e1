import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

let launched: Promise<Browser> | undefined

/**
 * The worker's browser; it ends with the worker. Tests open a context each: `(await browser()).newContext()`,
 * and close it.
 */
export function browser(): Promise<Browser> {
  launched ??= launchBrowser(shortVisitFlags)
  return launched
}

/** Launches another browser, which the caller closes, with further flags. */
export async function launchBrowser(further: string[] = []): Promise<Browser> {
  const found = inject('browser')
  if (!found) throw new Error('There is no Chromium here: install one, or name it in CHROME_PATH')
  return chromium.launch({
    executablePath: found.path,
    env: { ...process.env, ...found.env },
    args: [...flags, ...further],
  })
}

/**
 * Most pages are open for a second or two: too short for optimized code to earn back what compiling it costs, and for most of their
 * garbage to need collecting.
 */
export const shortVisitFlags = ['--js-flags=--no-opt,--no-maglev,--min-semi-space-size=32']

const flags = [
  '--headless',
  '--no-sandbox', // required when running as root
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--process-per-site', // tabs of one context share a process; test/visit.ts keeps it alive
]
