import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core'
import { findBrowser } from '#test/find-browser.ts'
import { startDemo } from '../gallery/demo.ts'
import { type Cells, measureCells } from './cells.ts'
import { median } from './http-client.ts'
import { measureOpening, type Opening } from './opening.ts'
import { keep } from './page.ts'
import { browserTable, inColumns, say, triageRows } from './report.ts'
import { type MeasuredScreen, measureScreens, screensTable } from './screens.ts'
import { measureTriage, type Triage } from './triage.ts'

/**
 * npm run bench -- --only browser: what a person sees, in Chromium, on the demo. Grids are filled up to the requested size by
 * repeating the server's rows. An empty scroller of the same size takes turns with each grid: it shows what the machine can draw.
 */
type Scrolled = { grid: string; frames: number; empty: number; ratio: number }
type Load = { kilobytes: number; requests: number; usableMs: number }
/** Megabytes in use after a hundred pages, and after `pages`, which is an hour at five seconds each. */
type Paging = { pages: number; before: number; after: number }
export type InBrowser = {
  date: string
  scrolled: Scrolled[]
  cold: Load
  warm: Load
  opening?: Opening
  screens?: MeasuredScreen[]
  cells: Cells
  paging: Paging
  triage?: Triage
}

const campaigns = 400
const changelogCampaigns = 300

export async function measureBrowser(): Promise<void> {
  const demo = await startDemo()
  const browser = await launch()
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await demo.people[0]!.enter(context)
    // The compiler adds calls of this to functions that run in the page.
    await context.addInitScript('globalThis.__name ??= (one) => one')
    const found: InBrowser = {
      date: new Date().toISOString().slice(0, 10),
      cold: await load(context, demo.url),
      warm: await load(context, demo.url),
      opening: await measureOpening(context, demo.url, 9),
      screens: await measureScreens(context, demo.url, demo.people[0]!),
      scrolled: [
        await scrolled(context, `${demo.url}/leads?per_page=200`, 'section[aria-label="Leads"]', '200 leads', null),
        await scrolled(
          context,
          `${demo.url}/leads/table`,
          'section[aria-label="Leads Table"]',
          `the leads table, ${campaigns} campaigns`,
          ['**/api/lead/table?*', manyCampaigns],
        ),
        await scrolled(
          context,
          `${demo.url}/campaigns-changelog?from=${day(59)}&to=${day(0)}`,
          'div:has(> [role=grid])',
          `the changelog, ${changelogCampaigns} campaigns by 60 days`,
          ['**/api/campaign-changelog?*', manyLines],
        ),
      ],
      cells: await measureCells(context, browser, demo.url, 3),
      paging: await paging(context, demo.url),
      // Last: it verifies 300 leads of the demo.
      triage: await measureTriage(context, demo.url),
    }
    print(found)
    keep('browser', found)
  } finally {
    await browser.close()
    await demo.stop()
  }
}

/** Measures only the keys: `npm run bench -- --only triage`. Saves nothing. */
export async function measureTriageAlone(): Promise<void> {
  const demo = await startDemo()
  const browser = await launch()
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await demo.people[0]!.enter(context)
    await context.addInitScript('globalThis.__name ??= (one) => one')
    const rows = triageRows(await measureTriage(context, demo.url))
    for (const row of inColumns(rows)) say(row.join('  ').trimEnd())
  } finally {
    await browser.close()
    await demo.stop()
  }
}

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

function print(found: InBrowser) {
  for (const row of inColumns(browserTable(found))) say(row.join('  ').trimEnd())
  for (const row of inColumns(screensTable(found.screens ?? []))) say(row.join('  ').trimEnd())
}

const hour = 720

/** Pages through the list and back, as fast as possible. */
async function paging(context: BrowserContext, url: string): Promise<Paging> {
  const page = await context.newPage()
  const line = await context.newCDPSession(page)
  const held = async () => {
    await line.send('HeapProfiler.collectGarbage')
    const { usedSize } = await line.send('Runtime.getHeapUsage')
    return usedSize / 2 ** 20
  }
  await page.goto(`${url}/leads?per_page=50`)
  await page.locator('tr[data-index]').first().waitFor()
  const turn = async (to: string) => {
    await page.getByRole('button', { name: to, exact: true }).click()
    await page.locator(`button[aria-label="${to}"][aria-current=page]`).waitFor()
    await page.locator('table[aria-busy=false]').waitFor()
  }
  let before = 0
  for (let at = 0; at < hour; at += 2) {
    if (at === 100) before = await held()
    await turn('Page 2')
    await turn('Page 1')
  }
  const after = await held()
  await page.close()
  return { pages: hour, before, after }
}

/** Measures the transferred bytes, and the time until the first rows. */
async function load(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage()
  const line = await context.newCDPSession(page)
  await line.send('Network.enable')
  let [bytes, requests] = [0, 0]
  line.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests += 1
  })
  const started = performance.now()
  await page.goto(`${url}/leads`)
  await page.locator('tr[data-index]').first().waitFor()
  const usableMs = performance.now() - started
  await page.close()
  return { kilobytes: bytes / 1024, requests, usableMs }
}

type Filled = [address: string, fill: (answer: never) => object] | null

async function scrolled(
  context: BrowserContext,
  url: string,
  scroller: string,
  grid: string,
  filled: Filled,
): Promise<Scrolled> {
  const page = await context.newPage()
  if (filled) {
    const [address, fill] = filled
    await page.route(address, async (route: Route) => {
      const answer = await route.fetch()
      await route.fulfill({ json: fill((await answer.json()) as never) }) // each `fill` knows its answer
    })
  }
  await page.goto(url)
  await page.locator(scroller).locator('tr[data-index], [role=rowgroup] [role=row]').first().waitFor()
  await page.evaluate(() => document.fonts.ready)
  const pairs: [number, number][] = []
  for (let round = 0; round < 3; round += 1) {
    const frames = median([await framesOf(page, scroller, 30, 0), await framesOf(page, scroller, 20, 10)])
    await page.evaluate(addEmpty)
    const empty = median([
      await framesOf(page, '[aria-label=empty]', 30, 0),
      await framesOf(page, '[aria-label=empty]', 20, 10),
    ])
    await page.evaluate(() => document.querySelector('[aria-label=empty]')?.remove())
    pairs.push([frames, empty])
  }
  await page.close()
  return {
    grid,
    frames: median(pairs.map(([frames]) => frames)),
    empty: median(pairs.map(([, empty]) => empty)),
    ratio: median(pairs.map(([frames, empty]) => frames / empty)),
  }
}

/** Returns the frames per second while scrolling for three seconds, that many pixels per frame. */
const framesOf = (page: Page, selector: string, down: number, across: number) =>
  page.evaluate(
    ({ selector, down, across }) =>
      new Promise<number>((resolve) => {
        const scroller = document.querySelector(selector)!
        scroller.scrollTo(0, 0)
        let frames = 0
        let started = 0
        const step = (now: number) => {
          started ||= now
          frames += 1
          scroller.scrollBy(across, down)
          if (now - started < 3000) requestAnimationFrame(step)
          else resolve((frames * 1000) / (now - started))
        }
        setTimeout(() => requestAnimationFrame(step), 300)
      }),
    { selector, down, across },
  )

function addEmpty() {
  const scroller = document.createElement('section')
  scroller.setAttribute('aria-label', 'empty')
  const inside = document.createElement('div')
  Object.assign(scroller.style, { position: 'fixed', inset: '100px 0 0 220px', overflow: 'auto', zIndex: '99' })
  Object.assign(inside.style, { width: '6000px', height: '20000px', background: 'linear-gradient(#fff, #ccc)' })
  scroller.append(inside)
  document.body.append(scroller)
}

const manyCampaigns = (answer: { campaigns: { id: number }[] }) => ({
  ...answer,
  campaigns: repeated(answer.campaigns, campaigns),
})

type Grid = { campaigns: { id: number; key: string }[]; changelogs_by_campaign: Record<string, unknown> }
function manyLines(answer: Grid) {
  const lines = repeated(answer.campaigns, changelogCampaigns)
  const items = lines.map(({ id }, index) => [
    id,
    answer.changelogs_by_campaign[answer.campaigns[index % answer.campaigns.length]!.id] ?? { data: {} },
  ])
  return {
    ...answer,
    campaigns: lines.map((line) => ({ ...line, key: String(line.id) })),
    changelogs_by_campaign: { ...answer.changelogs_by_campaign, ...Object.fromEntries(items) },
  }
}

/** Returns that many rows, repeating the given ones under other ids. */
const repeated = <One extends { id: unknown }>(some: One[], count: number): One[] =>
  Array.from({ length: count }, (_, index) => ({ ...some[index % some.length]!, id: 10_000 + index }))

async function launch(): Promise<Browser> {
  const found = await findBrowser()
  if (!found) throw new Error('There is no Chromium here: install one, or name it in CHROME_PATH')
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run']
  return chromium.launch({ executablePath: found.path, env: { ...process.env, ...found.env }, args })
}
