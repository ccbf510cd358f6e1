import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { App, Caller } from '#test/app.ts'
import { browser } from '#test/browser.ts'

export type Visit = Page & {
  /** The calls of the page so far, `GET /api/lead/3?x=1`, in their order. */
  calls: string[]
  /** What it wrote to the console as an error. */
  errors: string[]
}

type Options = BrowserContextOptions & {
  /** A browser of its own: for a test that signs in or out, which would change who the others are. */
  alone?: boolean
  /** Before the page is opened: what is stood in for, or listened to. */
  before?: (page: Page) => unknown
}

/** One a person and device, so that the app is fetched and compiled once; they end with the test file. */
const contexts = new Map<string, Promise<BrowserContext>>()
let contextsOf: string | undefined

async function closeThoseOfOtherFiles() {
  const { testPath } = expect.getState()
  if (testPath === contextsOf) return
  contextsOf = testPath
  const others = [...contexts.values()]
  contexts.clear()
  await Promise.all(others.map(async (context) => (await context).close()))
}

/**
 * Opens a page of the app as somebody, in a tab of its own that is closed after the test. Whatever the page throws, and
 * whatever the content security policy stops, fails the test.
 */
export async function visit(
  app: App,
  who: Pick<Caller, 'token'>,
  path: string,
  { alone = false, before, ...options }: Options = {},
): Promise<Visit> {
  await closeThoseOfOtherFiles()
  const name = JSON.stringify([app.url, who.token, options])
  const entered = (!alone && contexts.get(name)) || enter(app, who, options)
  if (!alone) contexts.set(name, entered)
  const context = await entered
  const page = await context.newPage()
  const broken: string[] = []
  page.on('pageerror', (error) => broken.push(error.message))
  onTestFinished(async () => {
    await (alone ? context : page).close()
    expect(broken, 'The page broke').toEqual([])
  })
  page.setDefaultTimeout(patience)
  const calls: string[] = []
  const errors: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.startsWith('/api/')) calls.push(`${request.method()} ${url.pathname}${url.search}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
    if (/Content Security Policy/i.test(message.text())) broken.push(message.text())
  })
  await before?.(page)
  await page.goto(app.url + path)
  return Object.assign(page, { calls, errors })
}

async function enter(app: App, { token }: Pick<Caller, 'token'>, options: BrowserContextOptions) {
  // Nothing fades: waiting for it would be most of what some tests do.
  const still = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const
  const context = await (await browser()).newContext({ ...still, ...options })
  if (token) await context.addCookies([{ name: 'leadline_token', value: token, url: app.url }])
  return context
}

/** A busy machine is no failure. */
const patience = 12_000

/** Expects what a page shows sooner or later: `await see(() => names(page)).toEqual(['Ann'])`. */
export const see = <T>(look: () => T | Promise<T>, about?: string) =>
  expect.poll(look, { timeout: patience, message: about })

/** The calls whose beginning is this. */
export const callsTo = (page: Visit, start: string) => page.calls.filter((call) => call.startsWith(start))

/** The path and the query that the address bar shows. */
export const placeOf = (page: Page): string => page.url().replace(/^https?:\/\/[^/]+/, '')

/** The red toast that says what failed. */
export const failure = (page: Page) => page.getByRole('alert')

/** What is asked before something that cannot be taken back. */
export const question = (page: Page, words: string) => page.getByRole('dialog', { name: words })
