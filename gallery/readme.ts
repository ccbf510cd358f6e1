import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp, { type Sharp } from 'sharp'
import { buildRecordPath } from '#contract/record-paths.ts'
import { projectRoot } from '#core/settings/settings.ts'
import type { startDemo } from './demo.ts'
import { waitUntilIdle } from './screenshots.ts'

type Demo = Awaited<ReturnType<typeof startDemo>>
type Size = { width: number; height: number }

const folder = join(projectRoot, 'docs/pictures')
const desk: Size = { width: 1440, height: 900 }
const phone: Size = { width: 390, height: 844 }
/** Pixels between two phones. */
const gap = 36

const openFirstLead = async (page: Page) => {
  await page.locator('tr[data-index="1"] td').nth(2).click()
  await page.getByRole('complementary', { name: /^Lead / }).waitFor()
}

/** Takes the pictures of the README: whole screens, light. */
export async function photographReadme(browser: Browser, demo: Demo): Promise<void> {
  const take = async (size: Size, path: string, open?: (page: Page) => Promise<void>) => {
    const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce', colorScheme: 'light' })
    await demo.people.find(({ name }) => name === 'super-admin')!.enter(context)
    const page = await context.newPage()
    await page.goto(demo.url + path)
    await waitUntilIdle(page)
    await open?.(page)
    await waitUntilIdle(page)
    const png = await page.screenshot()
    await context.close()
    return png
  }
  const keep = async (name: string, picture: Sharp) => {
    const { size } = await picture
      .webp({ quality: 70, effort: 6, smartSubsample: true })
      .toFile(join(folder, `${name}.webp`))
    process.stdout.write(`${name}: ${(size / 1000).toFixed(0)} kB\n`)
  }
  await keep('home', sharp(await take(desk, '/')))
  await keep('leads', sharp(await take(desk, '/leads', openFirstLead)))
  await keep('leads-table', sharp(await take(desk, '/leads/table')))
  await keep('campaign', sharp(await take(desk, buildRecordPath('campaign', 1))))
  const phones = [await take(phone, '/'), await take(phone, '/leads'), await take(phone, '/leads/table')]
  const width = phones.length * (phone.width + gap) - gap
  const blank = sharp({ create: { width, height: phone.height, channels: 4, background: '#0000' } })
  await keep('phone', blank.composite(phones.map((input, nth) => ({ input, left: nth * (phone.width + gap), top: 0 }))))
}
