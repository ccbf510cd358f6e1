import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/**
 * What axe finds wrong on the page as it stands, in both themes: `expect(await faults(page)).toEqual([])`. They differ in
 * their colours alone, so the other theme is looked at for nothing else.
 */
export async function axeViolations(page: Page, { within }: { within?: string } = {}): Promise<string[]> {
  const shown = await theme(page)
  const other = shown === 'light' ? 'dark' : 'light'
  const found = await look(page, within)
  await turn(page, other)
  const inOther = await look(page, within, ['color-contrast', 'link-in-text-block'])
  await turn(page, shown)
  return [...found.map((fault) => `${shown}: ${fault}`), ...inOther.map((fault) => `${other}: ${fault}`)]
}

async function look(page: Page, within?: string, rules?: string[]): Promise<string[]> {
  // In the page itself: a tab of its own for the sum of its frames would cost more than the look.
  const builder = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  if (within) builder.include(within)
  if (rules) builder.withRules(rules)
  const { violations } = await builder.analyze()
  return violations.map(({ id, nodes }) => `${id}, ${nodes.map(({ html }) => html).join(' and ')}`)
}

type Theme = 'light' | 'dark'
const shownTheme = () => document.documentElement.dataset.mantineColorScheme
const theme = (page: Page) => page.evaluate(shownTheme) as Promise<Theme>

async function turn(page: Page, colorScheme: Theme) {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction((wanted) => document.documentElement.dataset.mantineColorScheme === wanted, colorScheme)
}
