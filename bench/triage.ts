import type { BrowserContext, Page } from 'playwright-core'
import { day } from './cases.ts'
import { measureWork } from './cells.ts'
import { median, type Spread, summarizeTimes } from './http-client.ts'

/**
 * One lead after the other by `v` alone, with the lead open beside the list: from the key to the verdict on screen, and from the key
 * to all facts of the next lead, its player or message included. Milliseconds, on the page's own clock. And what the page's thread works
 * for opening a lead, and for an edit of its row.
 */
export type Triage = { leads: number; verdict: Spread; next: Spread; open?: number; edit?: number }

const leads = 300

export async function measureTriage(context: BrowserContext, url: string): Promise<Triage> {
  // The demo's leads go on coming in: telling of them is not what is measured.
  await context.route('**/api/leads/events*', () => {})
  const page = await context.newPage()
  await openFirst(page, url)
  const { open, edit } = await measureOpening(page)
  const [verdicts, nexts]: [number[], number[]] = [[], []]
  while (nexts.length < leads) {
    // A page of leads that are to be judged, but for its last one. What was judged is not among those of the next visit.
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

/** Opens leads beside the list and edits their rows in turns. Begins with the first one open. */
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
    await toggle.press('Space') // it is to be judged below
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

/** Presses `v` as a person does, and lets the page itself say when what follows was drawn. */
async function judge(page: Page): Promise<{ verdict: number; next: number }> {
  // It listens before the key is pressed: an evaluation and a key do not keep their order by themselves.
  const measured = await page.evaluateHandle(() => ({
    result: new Promise<{ verdict: number; next: number }>((resolve, reject) => {
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
            else if (now - timeStamp > 10_000)
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
