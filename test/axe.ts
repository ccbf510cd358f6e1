import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/**
 * Returns what axe reports for the page, in both themes: `expect(await axeViolations(page)).toEqual([])`. The themes differ
 * only in colors, so the second one is checked for contrast alone.
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
  // Legacy mode runs in the page itself: a separate tab for frames would take longer than the check.
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
