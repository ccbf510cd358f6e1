import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, CDPSession, ElementHandle, Locator, Page } from 'playwright-core'
import { build } from 'vite'
import { projectRoot } from '#core/settings/settings.ts'
import { median } from './http-client.ts'

/**
 * The main-thread cost of the list of 200 leads with all columns, compared with the same list with a library component in
 * every cell (bench/rival). Milliseconds of work, regardless of frames.
 */
export type Work = { mount: number; edit: number; keystroke: number; nodes: number }
export type Cells = { ours: Work; rival: Work; ratio: Work }

/** After ten seconds the page prefetches the rest of the app, which must not be measured. */
const untilAllIsRead = 13_000

export async function measureCells(
  context: BrowserContext,
  browser: Browser,
  url: string,
  rounds: number,
): Promise<Cells> {
  // The demo's leads keep coming in, but live events are not part of this measurement: their stream is never answered.
  await context.route('**/api/leads/events*', () => {})
  const page = await context.newPage()
  const leads = await rowsOf(page, url)
  const rival = await openRival(browser, leads)
  const [ours, theirs]: [Work[], Work[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await workOfOurs(page, url))
    theirs.push(await workOfRival(rival))
  }
  await Promise.all([page.close(), rival.close()])
  await context.unroute('**/api/leads/events*')
  const middle = (all: Work[], of: keyof Work) => median(all.map((one) => one[of]))
  const each = (value: (of: keyof Work) => number): Work => ({
    mount: value('mount'),
    edit: value('edit'),
    keystroke: value('keystroke'),
    nodes: value('nodes'),
  })
  const [we, they] = [each((of) => middle(ours, of)), each((of) => middle(theirs, of))]
  return { ours: we, rival: they, ratio: each((of) => they[of] / we[of]) }
}

async function rowsOf(page: Page, url: string): Promise<unknown[]> {
  const answer = page.waitForResponse((one) => one.url().includes('/api/leads/list/data'))
  await page.goto(`${url}/leads?per_page=200`)
  const { data } = (await (await answer).json()) as { data: unknown[] }
  if (data.length < 200) throw new Error(`only ${data.length} leads`)
  return data
}

async function workOfOurs(page: Page, url: string): Promise<Work> {
  const row = page.locator('tr[data-index]').first()
  await page.goto(`${url}/leads?per_page=200`)
  await row.waitFor()
  await page.waitForTimeout(untilAllIsRead)
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await row.waitFor({ state: 'detached' })
  const thread = await page.context().newCDPSession(page)
  const mount = await measureWork(page, thread, async () => {
    await page.goBack()
    await row.waitFor()
  })
  const nodes = await page.evaluate(nodeCount)
  // The server's part is not measured here: its response waits until the row has been drawn.
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/lead/*', async (route) => {
    await held
    await route.continue()
  })
  const toggle = await heldOf(row.getByRole('switch').first())
  const edit = await measureWork(page, thread, () => toggle.evaluate((element) => element.click()))
  answer()
  await page.unrouteAll({ behavior: 'wait' })
  const keystroke = await type(page, thread)
  await thread.detach()
  return { mount, edit, keystroke, nodes }
}

async function workOfRival(page: Page): Promise<Work> {
  const thread = await page.context().newCDPSession(page)
  const show = page.getByRole('button', { name: 'Show' })
  const mount = await measureWork(page, thread, () => show.evaluate((button: HTMLElement) => button.click()))
  const nodes = await page.evaluate(nodeCount)
  const toggle = await heldOf(page.getByRole('switch').first())
  const edit = await measureWork(page, thread, () => toggle.evaluate((element) => element.click()))
  const keystroke = await type(page, thread)
  await page.keyboard.press('Backspace')
  await show.evaluate((button: HTMLElement) => button.click())
  await thread.detach()
  return { mount, edit, keystroke, nodes }
}

/**
 * Types a letter that most rows contain, so that they are redrawn, not removed. It is typed four times, and the last one counts: the
 * rival's page stays while ours is new in each round, and the first letters in a new page include compilation.
 */
async function type(page: Page, thread: CDPSession): Promise<number> {
  const search = await heldOf(page.getByLabel('Search').first())
  const press = (key: string) =>
    measureWork(page, thread, async () => {
      await search.focus()
      await page.keyboard.press(key)
    })
  for (let typed = 0; typed < 3; typed += 1) {
    await press('e')
    await press('Backspace')
  }
  return press('e')
}

/** Found beforehand: finding an element by its role is work on the same thread. */
const heldOf = async (found: Locator) => (await found.elementHandle()) as ElementHandle<HTMLElement>

const nodeCount = () => document.querySelectorAll('*').length

/** Returns the main thread's milliseconds from the action until it is idle (at most ten seconds), minus its idle work in that time. */
export async function measureWork(page: Page, thread: CDPSession, act: () => Promise<unknown>): Promise<number> {
  await thread.send('Performance.enable')
  await thread.send('HeapProfiler.collectGarbage') // earlier garbage must not count here
  const spent = async () => {
    const { metrics } = await thread.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  }
  const inASecond = async (before: number) => {
    await page.waitForTimeout(1000)
    return (await spent()) - before
  }
  await page.waitForTimeout(1000)
  const rest = await inASecond(await spent())
  const [started, before] = [performance.now(), await spent()]
  await act()
  for (let seconds = 0; seconds < 10 && (await inASecond(await spent())) > rest + 50; seconds += 1);
  const restMeanwhile = rest * ((performance.now() - started) / 1000)
  return Math.max(0.1, (await spent()) - before - restMeanwhile)
}

async function openRival(browser: Browser, leads: unknown[]): Promise<Page> {
  const outDir = mkdtempSync(join(tmpdir(), 'leadline-rival-'))
  await build({
    root: join(projectRoot, 'bench/rival'),
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      lib: { entry: 'main.tsx', formats: ['iife'], name: 'rival', fileName: 'rival', cssFileName: 'rival' },
    },
  })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.setContent('<!doctype html><title>Rival</title>')
  await page.addStyleTag({ content: readFileSync(join(outDir, 'rival.css'), 'utf8') })
  await page.evaluate((rows) => Object.assign(window, { leads: rows }), leads)
  await page.addScriptTag({ content: readFileSync(join(outDir, 'rival.iife.js'), 'utf8') })
  rmSync(outDir, { recursive: true })
  return page
}
