import type { Page, Route } from 'playwright-core'

/** Brings a page into a state that it is only in when something is slow, or wrong. */
export type ScreenState = (page: Page, open: () => Promise<unknown>, calm: () => Promise<unknown>) => Promise<unknown>

export const screenStates: Record<string, ScreenState> = {
  /** Nothing has come yet. */
  loading: async (page, open) => {
    await onCalls(page, () => {}) // never answered
    await open()
    await page.locator('main').waitFor()
    await page.waitForTimeout(700) // for the parts that come by themselves; there is nothing to wait for
  },
  /** The house fails. */
  failed: async (page, open, calm) => {
    await onCalls(page, (route) => route.fulfill({ status: 500, json: { message: 'Server Error' } }))
    await open()
    await calm()
  },
  /** Everything was there, and then the network went: something is asked anew. */
  cut: async (page, open, calm) => {
    await open()
    await calm()
    await page.context().setOffline(true)
    const sort = page.locator('th button').first()
    if (await sort.isVisible()) await sort.press('Enter')
    await page.waitForTimeout(700)
  },
}

/** All calls but the one that asks who is here: without its answer there is no screen to be in trouble. */
const onCalls = (page: Page, answer: (route: Route) => unknown) =>
  page.route(
    ({ pathname }) => pathname.startsWith('/api/') && pathname !== '/api/user/me',
    (route) => void answer(route),
  )
