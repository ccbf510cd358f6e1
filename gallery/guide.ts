import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { pictureDensity } from '#app/guide/guide-page.ts'
import { buildRecordPath } from '#contract/record-paths.ts'
import { projectRoot } from '#core/settings/settings.ts'
import type { startDemo } from './demo.ts'
import { waitUntilIdle } from './screenshots.ts'

type Demo = Awaited<ReturnType<typeof startDemo>>
type Shot = {
  name: string
  path: string
  /** One of the demo's people; the agency's head by default. */
  as?: 'super-admin' | 'customer' | 'guest'
  /** Opens the part to show. */
  open?: (page: Page) => Promise<unknown>
  /** Columns to hide, so that others fit, as a person would. */
  hides?: string
  /** Height in pixels: a short list needs no empty space below it. */
  height?: number
  width?: number
}

/** Few leads are archived in a month. */
const longAgo = '2020-01-01'

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const ofRow = (name: string) => (page: Page) => page.locator('tr[data-index="1"]').getByRole('button', { name }).click()

/** A picture for each page of the guide, by the name that the page uses. */
const shots: readonly Shot[] = [
  { name: 'home', path: '/', height: 360 },
  {
    name: 'getting-around',
    path: '/leads',
    height: 460,
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Find a screen/ }).fill('roof')
      await page.getByRole('option', { name: /Lead$/ }).first().waitFor()
    },
  },
  { name: 'lists', path: '/leads', open: (page) => page.keyboard.press('?') },
  { name: 'profile', path: '/leads', height: 520, open: press('olivia') },
  {
    name: 'leads',
    path: '/leads',
    width: 1440,
    height: 620,
    hides: 'tracking_phone_number,tracking_source,lead_location,lead_email,related,notes,changers',
  },
  {
    name: 'leads-client',
    path: '/leads',
    as: 'customer',
    width: 1440,
    hides:
      'campaign_name,lead_type,lead_location,lead_email,message,related,notes,company_name,client_notes,client_value,client_profit',
  },
  { name: 'adding-leads', path: '/leads', open: press('Add Lead') },
  { name: 'where-leads-come-from', path: '/leads', open: press(/silent|unassigned|quarantined/) },
  { name: 'leads-archive', path: `/leads/archive?date_from=${longAgo}`, height: 520 },
  { name: 'leads-archive-client', path: `/leads/archive?date_from=${longAgo}`, as: 'customer', height: 520 },
  { name: 'leads-related', path: '/leads-related', height: 520 },
  { name: 'rating', path: '/rate', as: 'guest', width: 760, height: 880 },
  { name: 'leads-table', path: '/leads/table' },
  { name: 'leads-chart', path: '/leads/chart' },
  { name: 'campaigns', path: '/campaigns' },
  { name: 'campaign-area', path: '/campaigns?q=golden+gate', open: ofRow('Map') },
  { name: 'campaigns-changelog', path: '/campaigns-changelog' },
  { name: 'activity-log', path: '/activity-log', height: 560 },
  { name: 'campaign-categories', path: '/campaign-categories', height: 420 },
  { name: 'campaign-gmbs-map', path: '/campaign-gmbs/map' },
  { name: 'campaign-gmbs', path: '/campaign-gmbs', height: 560 },
  { name: 'gmb-manager', path: '/gmb-manager', height: 560 },
  { name: 'clients', path: '/clients', height: 520 },
  { name: 'client-sites', path: '/client-sites', height: 520 },
  { name: 'network-sites', path: '/network-sites', height: 520 },
  { name: 'network-sites-outgoing-links', path: '/network-sites/outgoing-links', height: 520 },
  { name: 'categories', path: '/categories', height: 360 },
  { name: 'redirect-domains', path: '/redirect-domains', height: 460 },
  { name: 'ips', path: '/ips', height: 460 },
  {
    name: 'admin-pages',
    path: '/admin/pages',
    open: async (page) => {
      await ofRow('Edit')(page)
      await page.getByRole('group', { name: 'Campaigns Access' }).waitFor()
    },
  },
  { name: 'leads-handlers', path: '/leads-handlers', height: 360 },
  { name: 'admin-audit', path: '/admin/audit', height: 460 },
  { name: 'admin-erasures', path: '/admin/erasures', height: 360 },
  { name: 'import', path: '/import', height: 460 },
  { name: 'integrations', path: '/integrations', height: 520 },
  { name: 'statements', path: '/statements', height: 460 },
  { name: 'disputes', path: '/disputes', height: 460 },
  { name: 'lead-sources', path: '/lead-sources', height: 460 },
  { name: 'lead', path: '/leads', width: 1440, open: (page) => page.locator('tr[data-index="1"] td').nth(2).click() },
  { name: 'campaign', path: buildRecordPath('campaign', 1) },
  { name: 'client', path: buildRecordPath('client', 1) },
  { name: 'site-client', path: buildRecordPath('client_site', 1) },
  { name: 'site-network', path: buildRecordPath('network_site', 1) },
  { name: 'listing', path: buildRecordPath('listing', 1) },
]

const folder = join(projectRoot, 'src/app/guide/pictures')
const pages = join(projectRoot, 'src/app/guide/pages')
const frame = { width: 1240, height: 740 }
const themes = ['light', 'dark'] as const

/** Takes the pictures of the guide in both themes; `only` limits them to a comma-separated list of names. */
export async function photographGuide(browser: Browser, demo: Demo, only: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const letter = await ratingLink(demo.mails)
  let bytes = 0
  for (const shot of shots.filter(({ name }) => only === '' || only.split(',').includes(name))) {
    const { name, path, as = 'super-admin', open, hides, ...measures } = shot
    const viewport = { ...frame, ...measures }
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce', deviceScaleFactor: pictureDensity })
    const token = await demo.people.find((person) => person.name === as)?.enter(context)
    const hide = (columns: string) =>
      fetch(`${demo.url}/api/user/saveColumns`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ view: 'leads.list', hidden_columns: columns }),
      })
    if (hides) await hide(hides)
    const page = await context.newPage()
    await page.goto(as === 'guest' ? letter : demo.url + path)
    await waitUntilIdle(page)
    if (open) {
      await open(page)
      await page
        .getByRole('dialog')
        .or(page.getByRole('complementary', { name: /^Lead / }))
        .first()
        .waitFor()
      await waitUntilIdle(page)
    }
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme })
      const picture = await drawn(page)
      keep(name, theme, picture)
      bytes += picture.data.length
      process.stdout.write(`${name}, ${theme}: ${(picture.data.length / 1000).toFixed(0)} kB\n`)
    }
    if (hides) await hide('')
    await context.close()
  }
  process.stdout.write(`${(bytes / 1000).toFixed(0)} kB of pictures in ${folder}\n`)
}

/** Returns the open dialog with a small margin, else the screen without menu and top bar, which all screens share. */
async function drawn(page: Page) {
  const { width, height } = page.viewportSize() ?? frame
  const dialog = page.getByRole('dialog').first()
  const box = (await dialog.isVisible()) ? await dialog.boundingBox() : await page.locator('main').boundingBox()
  const around = (await dialog.isVisible()) ? 16 : 0
  const { x = 0, y = 0, width: wide = width, height: high = height } = box ?? {}
  const [left, top] = [Math.max(0, x - around), Math.max(0, y - around)]
  const clip = {
    x: left,
    y: top,
    width: Math.min(width, x + wide + around) - left,
    height: Math.min(height, y + high + around) - top,
  }
  const png = await page.screenshot({ clip })
  const packed = (quality: number) =>
    sharp(png).webp({ quality, effort: 6, smartSubsample: true }).toBuffer({ resolveWithObject: true })
  for (const quality of [62, 50]) {
    const picture = await packed(quality)
    if (picture.data.length < 62_000) return picture
  }
  return packed(38) // a map
}

/** Saves the picture with its size in the name, so that the guide reserves its space, and updates the pages that show it. */
function keep(name: string, theme: string, { data, info }: Awaited<ReturnType<typeof drawn>>) {
  const start = `${name}-${theme}-`
  if (existsSync(folder))
    for (const old of readdirSync(folder))
      if (old.startsWith(start) && /^\d+x\d+\.webp$/.test(old.slice(start.length))) rmSync(join(folder, old))
  const file = `${start}${info.width}x${info.height}.webp`
  writeFileSync(join(folder, file), data)
  if (theme !== 'light') return // pages name a picture by its light version
  for (const page of readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.md'))) {
    const text = readFileSync(join(pages, page), 'utf8')
    const shown = text.replace(new RegExp(`(?<=/)${start}\\d+x\\d+\\.webp`, 'g'), file)
    if (shown !== text) writeFileSync(join(pages, page), shown)
  }
}

/** Returns the address in the first mail about a call, without the rating. */
async function ratingLink(mails: string): Promise<string> {
  for (let tries = 0; tries < 90; tries++) {
    for (let number = 0; number < 10; number++) {
      const answer = await fetch(`${mails}letters/${number}`)
      if (!answer.ok) break
      const html = await answer.text()
      const links = [...html.matchAll(/href="([^"]*\/rate\?[^"]*)"/g)].map(([, link = '']) =>
        link.replaceAll('&amp;', '&'),
      )
      const found = links.find((link) => !/[?&](rate|trap)=/.test(link))
      if (found && html.includes('New call')) return found
    }
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  throw new Error('No mail about a call came')
}
