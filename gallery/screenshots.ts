import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import type { ScreenState } from './screen-states.ts'

/** `errors` has what the page wrote to the console or threw. */
export type Screenshot = { file: string; name: string; errors: string[] }
export type ScreenshotTarget = { context: BrowserContext; url: string; path: string; folder: string; name: string }

/** Takes one screen, once nothing moves. */
export async function takeScreenshot(shot: ScreenshotTarget): Promise<Screenshot> {
  const { page, errors } = await open(shot)
  const picture = await keep(page, shot, '', errors)
  await page.close()
  return picture
}

/** Takes one screen in a failure state. Console errors about failed calls are expected. */
export async function takeScreenshotInState(trouble: ScreenState, shot: ScreenshotTarget): Promise<Screenshot> {
  const page = await shot.context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await trouble(
    page,
    () => page.goto(shot.url + shot.path),
    () => waitUntilIdle(page),
  )
  const picture = await keep(page, shot, '', errors)
  await shot.context.setOffline(false)
  await page.close()
  return picture
}

/** Buttons that only open something, so that taking pictures writes nothing. */
const opens =
  /^(Add|Create|New|Edit|Working Hours|Map|Logs|Select Table|Manage|Blacklist|Spammers|Hook|Sessions|Teams|History|Show)/

/** "Add Note: Bayou Roofing" and "Edit Called the client by Dana" each represent all of their kind. */
const kindOf = (label: string) => (label.length > 30 ? label.split(/[: ]/)[0]! : label.split(':')[0]!)

/** Takes the dialogs that the screen's buttons open, and those of its first row. */
export async function takeDialogScreenshots(shot: ScreenshotTarget): Promise<Screenshot[]> {
  const { page, errors } = await open(shot)
  const scopes = [
    page.locator('main button:not(tbody button)'),
    page.locator('tr[data-index="0"]').first().getByRole('button'),
  ]
  const pictures: Screenshot[] = []
  const seen = new Set<string>()
  for (const scope of scopes)
    for (const button of await scope.all()) {
      const label = ((await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? '').trim()
      const kind = kindOf(label)
      if (!opens.test(label) || seen.has(kind) || !(await button.isVisible()) || !(await button.isEnabled())) continue
      seen.add(kind)
      await button.click({ timeout: 3000 }).catch(() => {})
      const dialog = page.getByRole('dialog').first()
      const isOpen = await dialog.waitFor({ timeout: 4000 }).then(
        () => true,
        () => false,
      )
      if (!isOpen) continue
      await waitUntilIdle(page)
      pictures.push(await keep(page, shot, label, errors))
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached', timeout: 4000 }).catch(() => {})
    }
  await page.close()
  return pictures
}

async function open({ context, url, path }: ScreenshotTarget) {
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto(url + path)
  await waitUntilIdle(page)
  return { page, errors }
}

/** Waits until all requests are done and no skeleton is left. */
export async function waitUntilIdle(page: Page) {
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => {}) // a page with a live stream is never idle
  await page
    .locator('h1')
    .first()
    .waitFor({ timeout: 30_000 })
    .catch(() => {}) // a busy machine takes its time
  await page
    .waitForFunction(() => !document.querySelector('[aria-busy=true], [role=status][aria-label=Loading]'), undefined, {
      timeout: 30_000,
    })
    .catch(() => {})
  await page.evaluate(() => document.fonts.ready)
}

async function keep(
  page: Page,
  { path, folder, name }: ScreenshotTarget,
  part: string,
  errors: string[],
): Promise<Screenshot> {
  const plain = (text: string) =>
    text
      .replace(/[^a-z0-9]+/gi, '-')
      .replace(/^-|-$/g, '')
      .toLowerCase()
  const file = `${[name, plain(path) || 'dashboard', plain(part)].filter(Boolean).join('-')}.png`
  await page.screenshot({ path: join(folder, file) })
  return { file, name: `${path} ${part} (${name})`, errors: [...errors] }
}
