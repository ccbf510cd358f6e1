import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The smaller of its two builds: it is read into each page. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Returns what axe reports for the page, in both themes: `expect(await axeViolations(page)).toEqual([])`. The themes differ
 * only in colors, so the second one is checked for contrast alone. The page stays in that one: turning it back
 * takes half as long as that check.
 */
export async function axeViolations(page: Page, { within }: { within?: string } = {}): Promise<string[]> {
  const shown = await theme(page)
  const other = shown === 'light' ? 'dark' : 'light'
  // Not AxeBuilder, which would read axe into the page four times here: as much work as a third check.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(source)
  const found = await look(page, { within })
  await turn(page, other)
  const inOther = await look(page, { within, rules: ['color-contrast', 'link-in-text-block'] })
  return [...found.map((fault) => `${shown}: ${fault}`), ...inOther.map((fault) => `${other}: ${fault}`)]
}

const look = (page: Page, checked: { within?: string | undefined; rules?: string[] }): Promise<string[]> =>
  page.evaluate(async ({ within, rules }) => {
    const { violations } = await window.axe.run(within ?? document, {
      resultTypes: ['violations'],
      selectors: false, // we name an element by its HTML, and to find a short selector takes long
      preload: { assets: ['media'] }, // the rule that reads style sheets is experimental, so off
      ...(rules ? { runOnly: rules } : {}),
    })
    return violations.map(({ id, nodes }) => `${id}, ${nodes.map(({ html }) => html).join(' and ')}`)
  }, checked)

type Theme = 'light' | 'dark'
const shownTheme = () => document.documentElement.dataset.mantineColorScheme
const theme = (page: Page) => page.evaluate(shownTheme) as Promise<Theme>

async function turn(page: Page, colorScheme: Theme) {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction((wanted) => document.documentElement.dataset.mantineColorScheme === wanted, colorScheme)
}

declare global {
  interface Window {
    axe: typeof axe
  }
}
