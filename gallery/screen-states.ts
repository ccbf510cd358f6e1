import type { Page, Route } from 'playwright-core'

/** Puts a page into a state that it only has when something is slow or fails. */
export type ScreenState = (page: Page, open: () => Promise<unknown>, calm: () => Promise<unknown>) => Promise<unknown>

export const screenStates: Record<string, ScreenState> = {
  /** Loading. */
  loading: async (page, open) => {
    await onCalls(page, () => {}) // never answered
    await open()
    await page.locator('main').waitFor()
    await page.waitForTimeout(700) // for lazily loaded parts, which have no event to wait for
  },
  /** The server fails. */
  failed: async (page, open, calm) => {
    await onCalls(page, (route) => route.fulfill({ status: 500, json: { message: 'Server Error' } }))
    await open()
    await calm()
  },
  /** The page was loaded, then the network was lost, and something is fetched again. */
  cut: async (page, open, calm) => {
    await open()
    await calm()
    await page.context().setOffline(true)
    const sort = page.locator('th button').first()
    if (await sort.isVisible()) await sort.press('Enter')
    await page.waitForTimeout(700)
  },
}

/** All calls except the one that identifies the person: without it there is no screen. */
const onCalls = (page: Page, answer: (route: Route) => unknown) =>
  page.route(
    ({ pathname }) => pathname.startsWith('/api/') && pathname !== '/api/user/me',
    (route) => void answer(route),
  )
