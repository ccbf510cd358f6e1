import type { BrowserContext, Page } from 'playwright-core'
import { day } from './cases.ts'
import { measureWork } from './cells.ts'
import { median, type Spread, summarizeTimes } from './http-client.ts'

/**
 * Verifying one lead after the other with `v`, with the lead open beside the list: from the key to the verdict on screen, and from the key
 * to the whole next lead, including its player or message. Milliseconds on the page's own clock. Also the main thread's work
 * for opening a lead, and for an edit of its row.
 */
export type Triage = { leads: number; verdict: Spread; next: Spread; open?: number; edit?: number }

const leads = 300

export async function measureTriage(context: BrowserContext, url: string): Promise<Triage> {
  // The demo's leads keep coming in, but live events are not part of this measurement.
  await context.route('**/api/leads/events*', () => {})
  const page = await context.newPage()
  await openFirst(page, url)
  const { open, edit } = await measureOpening(page)
  const [verdicts, nexts]: [number[], number[]] = [[], []]
  while (nexts.length < leads) {
    // A page of unjudged leads, except for its last one. Judged leads are not listed on the next visit.
    const count = Math.min(leads - nexts.length, (await openFirst(page, url)) - 1)
    if (count < 1) throw new Error(`the demo has only ${nexts.length} leads to judge`)
    for (let lead = 0; lead < count; lead += 1) {
      const { verdict, next } = await judge(page)
      verdicts.push(verdict)
      nexts.push(next)
    }
  }
  await page.close()
  await context.unroute('**/api/leads/events*')
  return { leads, verdict: summarizeTimes(verdicts), next: summarizeTimes(nexts), open, edit }
}

const pane = 'aside[aria-label^="Lead "]'

/** Opens the first unverified lead of a year, and returns how many are listed. */
async function openFirst(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/leads?per_page=200&unmarked=1&date_from=${day(365)}`)
  await page.locator('tr[data-index="0"]').focus()
  await page.keyboard.press('Enter')
  await page.locator(`${pane} section`).first().waitFor()
  const place = await page.locator(`${pane} header`).textContent()
  return Number(/\bof (\d+)/.exec(place ?? '')?.[1])
}

const openings = 5

/** Opens leads beside the list and edits their rows in turns. Starts with the first one open. */
async function measureOpening(page: Page): Promise<{ open: number; edit: number }> {
  const thread = await page.context().newCDPSession(page)
  const opened = page.locator(pane)
  const [opens, edits]: [number[], number[]] = [[], []]
  for (let place = 0; place < openings; place += 1) {
    await opened.press('Escape')
    await opened.waitFor({ state: 'detached' })
    const row = page.locator(`tr[data-index="${place}"]`)
    const toggle = row.getByRole('switch').first()
    edits.push(await measureWork(page, thread, () => toggle.press('Space')))
    await toggle.press('Space') // undone: the lead is judged below
    await row.focus()
    opens.push(
      await measureWork(page, thread, async () => {
        await page.keyboard.press('Enter')
        await opened.locator('section').first().waitFor()
      }),
    )
  }
  await thread.detach()
  return { open: median(opens), edit: median(edits) }
}

/** Presses `v` as a person would, and lets the page itself report when the result was drawn. */
async function judge(page: Page): Promise<{ verdict: number; next: number }> {
  // The page listens before the key is pressed: an evaluation and a key press are not ordered otherwise.
  const measured = await page.evaluateHandle(() => ({
    result: new Promise<{ verdict: number; next: number }>((resolve, reject) => {
      const findSection = () => document.querySelector('aside[aria-label^="Lead "] section')
      const before = findSection()
      const row = document.querySelector('tr[data-index]:focus, tr[data-index]:has(:focus)')
      const isOn = () => row?.querySelector<HTMLInputElement>('[role=switch]')?.checked !== false
      // By then the sections below belong to the next lead; they are drawn together with its facts.
      const isNextThere = () => findSection() !== null && findSection() !== before
      addEventListener(
        'keydown',
        ({ timeStamp }) => {
          let verdict: number | null = null
          const look = (now: number) => {
            // A frame's time is its start, which may be before the key.
            const took = Math.max(0, now - timeStamp)
            if (isOn()) verdict ??= took
            if (verdict !== null && isNextThere()) resolve({ verdict, next: took })
            else if (took > 10_000)
              reject(new Error(`The next lead did not come: ${document.querySelector('aside header')?.textContent}`))
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        },
        { capture: true, once: true },
      )
    }),
  }))
  await page.keyboard.press('v')
  return measured.evaluate(({ result }) => result)
}
