import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserContext, chromium } from 'playwright-core'
import { appScreens } from '#app/ui/screens.ts'
import { findBrowser } from '#test/find-browser.ts'
import type { Visitor } from '../gallery/demo.ts'
import { folder } from './database.ts'
import { median } from './http-client.ts'
import { say } from './report.ts'

/**
 * Every screen of the demo, signed in: how long its main thread is blocked with 200 rows, and its Lighthouse scores. Lighthouse is
 * installed from npm next to the measured databases, the first time: nothing else needs it.
 */
export type MeasuredScreen = {
  path: string
  rows: number
  /** Sum of the milliseconds beyond 50 of each long task, until the page is idle; the median of three openings. */
  blocking: number
  /** The median of three where the first misses its goal: something else may have run beside it. */
  performance: number
  accessibility: number
  practices: number
}

/** Goals: blocking in milliseconds, Lighthouse in points. */
const goals = { blocking: 150, performance: 95, accessibility: 100, practices: 100 }

export function screensTable(screens: MeasuredScreen[]): string[][] {
  const isMet = ({ blocking, performance, accessibility, practices }: MeasuredScreen) =>
    blocking <= goals.blocking &&
    performance >= goals.performance &&
    accessibility >= goals.accessibility &&
    practices >= goals.practices
  return [
    ['screen', 'rows', 'blocked', 'performance', 'accessibility', 'best practices', ''],
    ...screens.map((screen) => [
      screen.path,
      screen.rows > 0 ? String(screen.rows) : '',
      `${Math.round(screen.blocking)} ms`,
      String(screen.performance),
      String(screen.accessibility),
      String(screen.practices),
      isMet(screen) ? 'met' : 'MISSED',
    ]),
    [
      'goal of each',
      '',
      `${goals.blocking} ms`,
      String(goals.performance),
      String(goals.accessibility),
      String(goals.practices),
      '',
    ],
  ]
}

const version = '13.5.0'
const home = join(folder, 'data', 'lighthouse')
const debuggingPort = 9333
const rounds = 3
const wantedRows = 200

/** Skips the pages of single records: they need an id, and are light. */
const paths = appScreens.map(({ path }) => path).filter((path) => !path.includes('$'))

export async function measureScreens(
  context: BrowserContext,
  url: string,
  visitor: Visitor,
): Promise<MeasuredScreen[]> {
  const scores = await scoreAll(url, visitor)
  const found: MeasuredScreen[] = []
  for (const path of paths) {
    const opened = []
    for (let round = 0; round < rounds; round += 1) opened.push(await openWithManyRows(context, url + path))
    const blocking = median(opened.map((one) => one.blocking))
    found.push({ path, rows: opened[0]!.rows, blocking, ...scores.get(path)! })
    say(`${path} blocks ${Math.round(blocking)} ms, Lighthouse ${Object.values(scores.get(path)!).join(' ')}`)
  }
  return found
}

/** Opens the screen with a warm cache. A list with fewer rows gets copies of them under other ids. */
async function openWithManyRows(context: BrowserContext, address: string) {
  const page = await context.newPage()
  await page.addInitScript(() => {
    const tasks: number[] = []
    Object.assign(window, { longTasks: tasks })
    const note = (list: PerformanceObserverEntryList) => tasks.push(...list.getEntries().map((task) => task.duration))
    new PerformanceObserver(note).observe({ type: 'longtask', buffered: true })
  })
  let rows = 0
  await page.route(/\/api\/.*[?&]per_page=200(&|$)/, async (route) => {
    const answer = await route.fetch()
    const body: unknown = await answer.json().catch(() => null)
    if (!hasRows(body)) return route.fulfill({ response: answer })
    rows = wantedRows
    return route.fulfill({ response: answer, json: { ...body, data: repeatRows(body.data) } })
  })
  await page.goto(`${address}?per_page=200`, { waitUntil: 'load' })
  await page.locator('main h1').first().waitFor()
  await page.waitForTimeout(4000)
  const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks)
  await page.close()
  return { rows, blocking: tasks.reduce((sum, ms) => sum + Math.max(0, ms - 50), 0) }
}

type Rows = { data: { id: number | string }[] }
const hasRows = (body: unknown): body is Rows =>
  typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data) && body.data.length > 0

const repeatRows = (rows: Rows['data']) =>
  Array.from({ length: wantedRows }, (_, at) =>
    at < rows.length ? rows[at]! : { ...rows[at % rows.length]!, id: 1e6 + at },
  )

type Scores = Pick<MeasuredScreen, 'performance' | 'accessibility' | 'practices'>
type Lighthouse = (
  address: string,
  flags: object,
  config: object,
) => Promise<{ lhr: { categories: Record<string, { score: number | null }> } }>

/** Runs Lighthouse with its own browser, reached by a port, with its desktop limits of network and processor. */
async function scoreAll(url: string, visitor: Visitor): Promise<Map<string, Scores>> {
  const { lighthouse, config } = await loadLighthouse()
  const found = await findBrowser()
  if (!found) throw new Error('There is no Chromium here: install one, or name it in CHROME_PATH')
  const profile = mkdtempSync(join(tmpdir(), 'leadline-lighthouse-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: found.path,
    env: { ...process.env, ...found.env },
    args: ['--headless', '--no-sandbox', '--disable-gpu', `--remote-debugging-port=${debuggingPort}`],
  })
  try {
    await visitor.enter(context)
    const scores = new Map<string, Scores>()
    const score = async (path: string): Promise<Scores> => {
      const flags = { port: debuggingPort, onlyCategories: ['performance', 'accessibility', 'best-practices'] }
      const { lhr } = await lighthouse(url + path, flags, config)
      const points = (name: string) => Math.round((lhr.categories[name]?.score ?? 0) * 100)
      return {
        performance: points('performance'),
        accessibility: points('accessibility'),
        practices: points('best-practices'),
      }
    }
    for (const path of paths) {
      const found = [await score(path)]
      while (found.length < rounds && found[0]!.performance < goals.performance) found.push(await score(path))
      scores.set(path, { ...found[0]!, performance: median(found.map(({ performance }) => performance)) })
    }
    return scores
  } finally {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

async function loadLighthouse(): Promise<{ lighthouse: Lighthouse; config: object }> {
  if (!existsSync(join(home, 'node_modules/lighthouse'))) {
    say(`installing lighthouse ${version}, once`)
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'package.json'), '{ "private": true }')
    const options = ['--no-audit', '--no-fund', '--ignore-scripts']
    execFileSync('npm', ['install', ...options, `lighthouse@${version}`], { cwd: home, stdio: 'inherit' })
  }
  const main = createRequire(join(home, 'package.json')).resolve('lighthouse')
  const loaded = await import(pathToFileURL(main).href)
  return { lighthouse: loaded.default, config: loaded.desktopConfig }
}
