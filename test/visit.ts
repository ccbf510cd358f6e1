import { eq } from 'drizzle-orm'
import type { BrowserContext, BrowserContextOptions, Locator, Page, Request } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { sessionsTable } from '#domains/access/schema.ts'
import type { App, Caller } from '#test/app.ts'
import { browser } from '#test/browser.ts'

export type Visit = Page & {
  /** The API calls of the page so far, in order, as `GET /api/lead/3?x=1`. */
  calls: string[]
  /** How often the stream of events was opened so far: only then the page is told of what happens. */
  streams: () => number
  /** The errors that the page wrote to the console. */
  errors: string[]
}

type Options = BrowserContextOptions & {
  /** Uses a browser context of its own, which loads and compiles the app again: for a test of what is loaded when. */
  alone?: boolean
  /** Shares its browser context with no one until the test ends, and leaves nothing in it: for a test that signs in or out. */
  signsIn?: boolean
  /** Runs before the page is opened, to add routes or listeners. */
  before?: (page: Page) => unknown
}

/** Browser contexts that people share in turn, so that the app is loaded and compiled once per kind of device. */
type Device = { context: Promise<BrowserContext>; token: Caller['token'] | typeof someone; pages: number }

/** Who it is in the end is known only to the test that signs in. */
const someone = Symbol('someone')

/** By app and kind; closed when the next test file starts. */
const devices = new Map<string, Device[]>()
let devicesTestPath: string | undefined

async function closeDevicesOfOtherFiles() {
  const { testPath } = expect.getState()
  if (testPath === devicesTestPath) return
  devicesTestPath = testPath
  const others = [...devices.values()].flat()
  devices.clear()
  await Promise.all(others.map(async ({ context }) => (await context).close()))
}

/** Returns the context that this person has, unless they sign in or out, else an unused one, else a new one. */
function takeDevice(
  app: App,
  { token }: Pick<Caller, 'token'>,
  signsIn: boolean,
  options: BrowserContextOptions,
): Device {
  const kind = JSON.stringify([app.url, options])
  const known = devices.get(kind) ?? []
  const user: Device['token'] = signsIn ? someone : token
  const found = known.find((one) => !signsIn && one.token === token) ?? known.find(({ pages }) => pages === 0)
  if (!found) {
    const opened: Device = { context: openSharedContext(app, token, options), token: user, pages: 1 }
    devices.set(kind, [...known, opened])
    return opened
  }
  if (signsIn || found.token !== token) found.context = handOver(found.context, app, token)
  found.token = user
  found.pages += 1
  return found
}

/** Clears everything of the previous person. */
async function handOver(left: Promise<BrowserContext>, app: App, token: Caller['token']) {
  const context = await left
  await context.clearCookies()
  await context.pages()[0]!.evaluate(() => localStorage.clear())
  await enter(context, app, token)
  return context
}

/**
 * Opens a page of the app for a user, in a tab that is closed after the test. An error that the page throws, or anything that
 * the content security policy blocks, fails the test.
 */
export async function visit(
  app: App,
  who: Pick<Caller, 'token'>,
  path: string,
  { alone = false, signsIn = false, before, viewport, ...options }: Options = {},
): Promise<Visit> {
  await closeDevicesOfOtherFiles()
  const device = alone ? null : takeDevice(app, who, signsIn, options)
  const context = await (device?.context ?? openContext(app, who.token, options))
  const page = await context.newPage()
  if (viewport) await page.setViewportSize(viewport) // pages of all sizes share a context: a new one loads the app again
  const pageErrors: string[] = []
  page.on('pageerror', (error) => pageErrors.push(error.message))
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(await describePage(page, calls, errors))
    if (alone) await context.close()
    else if (signsIn)
      await Promise.all(
        context
          .pages()
          .slice(1)
          .map((one) => one.close()),
      )
    else await page.close()
    if (device) device.pages -= 1
    expect(pageErrors, 'The page threw').toEqual([])
  })
  page.setDefaultTimeout(waitTimeout)
  const calls: string[] = []
  const errors: string[] = []
  const unansweredChanges = new Set<Request>()
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (!url.pathname.startsWith('/api/')) return
    calls.push(`${request.method()} ${url.pathname}${url.search}`)
    if (request.method() !== 'GET') unansweredChanges.add(request)
  })
  let streams = 0
  page.on('response', (response) => {
    if (response.ok() && new URL(response.url()).pathname === '/api/leads/events') streams += 1
  })
  const settle = (request: Request) => void unansweredChanges.delete(request)
  page.on('requestfinished', settle)
  page.on('requestfailed', settle)
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
    if (/Content Security Policy/i.test(message.text())) pageErrors.push(message.text())
  })
  await before?.(page)
  await page.goto(app.url + path)
  const reload = page.reload.bind(page)
  // A change shows before it is saved: a page that is reloaded at once could read the old state.
  const reloadWhenSaved: Page['reload'] = async (...how) => {
    await see(() => unansweredChanges.size, 'changes that have no answer').toBe(0)
    return reload(...how)
  }
  return Object.assign(page, { calls, streams: () => streams, errors, reload: reloadWhenSaved })
}

/** Returns what a test that failed left: it may fail once in a thousand runs, on a machine that no one sees. */
async function describePage(page: Page, calls: string[], errors: string[]): Promise<string> {
  const shown = await page.locator('body').innerText({ timeout: 2000 }).catch(String)
  const last = ['Last calls:', ...calls.slice(-60), 'Console:', ...errors]
  return [pathOf(page), ...last, 'Shown:', shown.slice(0, 3000), '…', shown.slice(3000).slice(-1000)].join('\n')
}

/**
 * Opens a tab without the app that keeps the shared process alive: what its pages have compiled is half of the cost of the next one. An
 * idle app would load all of its chunks there.
 */
async function openSharedContext(app: App, token: Caller['token'], options: BrowserContextOptions) {
  const context = await openContext(app, token, options)
  await context.addInitScript(turnOnDataSaver)
  await (await context.newPage()).goto(`${app.url}/readyz`)
  return context
}

/** Without the chunks that a person might need next: a test that is long enough would read all 250 of them. */
export function turnOnDataSaver() {
  Object.defineProperty(Object.getPrototypeOf(Reflect.get(navigator, 'connection')), 'saveData', { get: () => true })
}

async function openContext(app: App, token: Caller['token'], options: BrowserContextOptions) {
  // No animations: some tests would mostly wait for them.
  const defaults = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const
  const context = await (await browser()).newContext({ ...defaults, ...options })
  await enter(context, app, token)
  return context
}

async function enter(context: BrowserContext, { url }: App, token: Caller['token']) {
  if (token) await context.addCookies([{ name: 'leadline_token', value: token, url }])
}

/** Milliseconds: long enough for a busy machine, less than a test's timeout. */
const waitTimeout = 40_000

/** Returns how far the parts of a page have moved each other so far, as browsers measure it: 0.1 is what a reader notices. */
export const readLayoutShift = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    let sum = 0
    const observer = new PerformanceObserver((list) => {
      // The library of types does not know this kind of entry.
      for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[]) sum += value
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    observer.disconnect()
    return sum
  })

/** Expects what a page shows eventually: `await see(() => names(page)).toEqual(['Ann'])`. */
export const see = <T>(look: () => T | Promise<T>, about?: string) =>
  expect.poll(look, { timeout: waitTimeout, message: about })

/**
 * Ends the user's sessions with the first call of which `GET /api/leads/list/data?page=1` matches: ended at once, a call of the opening page
 * that is still on its way might be the one that learns of it.
 */
export async function endSessionsAt(page: Page, { context }: App, user: { id: number }, call: RegExp) {
  const isEnd = (request: Request) => call.test(`${request.method()} ${request.url().replace(/^\w+:\/\/[^/]+/, '')}`)
  let isEnded = false
  await page.route('**/api/**', async (route) => {
    if (!isEnded && isEnd(route.request())) {
      isEnded = true
      await context.db.delete(sessionsTable).where(eq(sessionsTable.user_id, user.id))
    }
    await route.fallback()
  })
}

/** Holds the first call to an address that changes something, and returns the function that lets it go on. */
export async function holdFirstWrite(page: Page, address: string): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  let isFirst = true
  await page.route(address, async (route) => {
    if (isFirst && route.request().method() !== 'GET') {
      isFirst = false
      await held.promise
    }
    await route.fallback()
  })
  return held.resolve
}

/** Returns the calls that start with this. */
export const callsTo = (page: Visit, start: string) => page.calls.filter((call) => call.startsWith(start))

/** Returns the calls that change something. A screen may read at any time. */
export const writesOf = (page: Visit) => page.calls.filter((call) => !call.startsWith('GET '))

/** Types letter by letter, without a pause between two letters however busy the machine is. */
export async function typeAtOnce(field: Locator, words: string) {
  await field.focus()
  await field.evaluate((_, text) => {
    for (const letter of text) document.execCommand('insertText', false, letter)
  }, words)
}

/** Returns the path and query of the address bar. */
export const pathOf = (page: Page): string => page.url().replace(/^https?:\/\/[^/]+/, '')

export const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node === document.activeElement)

/** Returns the red toast of an error. */
export const errorToast = (page: Page) => page.getByRole('alert')

/** Returns the dialog that asks for confirmation. */
export const confirmDialog = (page: Page, words: string | RegExp) => page.getByRole('dialog', { name: words })
