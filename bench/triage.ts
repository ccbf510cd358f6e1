import type { BrowserContext, Page } from 'playwright-core'
import { median } from './http-client.ts'

/**
 * One lead after the other by `v` alone, with the lead open beside the list: from the key to the verdict on screen, and from the key
 * to all facts of the next lead, its player or message included. Milliseconds, on the page's own clock.
 */
export type Triage = { leads: number; verdict: Share; next: Share }
type Share = { median: number; ninetyFifth: number }

const leads = 300

export async function measureTriage(context: BrowserContext, url: string): Promise<Triage> {
  // The demo's leads go on coming in: telling of them is not what is measured.
  await context.route('**/api/leads/events*', () => {})
  const page = await context.newPage()
  await page.goto(`${url}/leads?per_page=200&confirmed=0`)
  await page.locator('tr[data-index="0"]').focus()
  await page.keyboard.press('Enter')
  await page.locator('aside[aria-label^="Lead "] h2').waitFor()
  const [verdicts, nexts]: [number[], number[]] = [[], []]
  for (let lead = 0; lead < leads; lead += 1) {
    const { verdict, next } = await judge(page)
    verdicts.push(verdict)
    nexts.push(next)
  }
  await page.close()
  await context.unroute('**/api/leads/events*')
  return { leads, verdict: summarize(verdicts), next: summarize(nexts) }
}

/** Presses `v` as a person does, and lets the page itself say when what follows was drawn. */
async function judge(page: Page): Promise<{ verdict: number; next: number }> {
  const measured = page.evaluate(
    () =>
      new Promise<{ verdict: number; next: number }>((resolve, reject) => {
        const findSection = () => document.querySelector('aside[aria-label^="Lead "] section')
        const before = findSection()
        const row = document.querySelector('tr[data-index]:focus, tr[data-index]:has(:focus)')
        const isOn = () => row?.querySelector<HTMLInputElement>('[role=switch]')?.checked !== false
        // The sections below are another lead's by then; they come together with its facts.
        const isNextThere = () => findSection() !== null && findSection() !== before
        addEventListener(
          'keydown',
          ({ timeStamp }) => {
            let verdict = 0
            const look = (now: number) => {
              if (verdict === 0 && isOn()) verdict = now - timeStamp
              if (verdict > 0 && isNextThere()) resolve({ verdict, next: now - timeStamp })
              else if (now - timeStamp > 10_000) reject(new Error('The next lead did not come'))
              else requestAnimationFrame(look)
            }
            requestAnimationFrame(look)
          },
          { capture: true, once: true },
        )
      }),
  )
  await page.keyboard.press('v')
  return measured
}

function summarize(times: number[]): Share {
  const sorted = times.toSorted((a, b) => a - b)
  return { median: median(times), ninetyFifth: sorted[Math.floor(sorted.length * 0.95)] ?? 0 }
}
