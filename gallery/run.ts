import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { findBrowser } from '#test/find-browser.ts'
import { menu } from '../src/web/menu.tsx'
import { startDemo } from './demo.ts'
import { dialogsOf, type Picture, photograph } from './photograph.ts'

/**
 * npm run gallery -- [--only clients]: a picture of every screen that each kind of person has in the demo, in three sizes, light and
 * dark, and of the dialogs that its buttons open; gallery/pictures/index.html shows them all.
 */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const folder = join(import.meta.dirname, 'pictures')
const sizes = [
  { width: 1440, height: 900 },
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const demo = await startDemo()
const browser = await launch()
const pictures: Picture[] = []
try {
  for (const person of demo.people)
    for (const [turn, viewport] of sizes.entries())
      for (const colorScheme of ['light', 'dark'] as const) {
        // The middle size differs from the first in width alone: one theme shows that.
        if (turn === 1 && colorScheme === 'dark') continue
        const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
        const token = await person.enter(context)
        const paths = token ? ['/user-guide', ...(await screensOf(token))] : ['/login', '/rate', '/nowhere']
        for (const path of paths.filter((one) => one.includes(values.only))) {
          const shot = { context, url: demo.url, path, folder, name: `${person.name}-${viewport.width}-${colorScheme}` }
          pictures.push(await photograph(shot))
          if (turn === 0 && colorScheme === 'light' && person.name === 'super-admin')
            pictures.push(...(await dialogsOf(shot)))
        }
        await context.close()
        process.stdout.write(
          `${person.name}, ${viewport.width} wide, ${colorScheme}: ${pictures.length} pictures so far\n`,
        )
      }
} finally {
  await browser.close()
  await demo.stop()
}
writeFileSync(join(folder, 'index.html'), page(pictures))
process.stdout.write(`${pictures.length} pictures in ${folder}, see index.html\n`)
const broken = pictures.filter(({ errors }) => errors.length > 0)
for (const { file, errors } of broken) process.stdout.write(`${file}: ${errors.join('; ')}\n`)
process.exit(broken.length > 0 ? 1 : 0)

/** The paths that this person's menu offers, asked as the menu asks. */
async function screensOf(token: string): Promise<string[]> {
  const answer = await fetch(`${demo.url}/api/user/me`, { headers: { authorization: `Bearer ${token}` } })
  const { permissions } = (await answer.json()) as { permissions: Record<string, boolean> } // our own contract
  return menu
    .flatMap(({ entries }) => entries)
    .filter(({ flag }) => permissions[flag])
    .map(({ path }) => path)
}

async function launch(): Promise<Browser> {
  const found = await findBrowser()
  if (!found) throw new Error('There is no Chromium here: install one, or name it in CHROME_PATH')
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run']
  return chromium.launch({ executablePath: found.path, env: { ...process.env, ...found.env }, args })
}

function page(all: Picture[]): string {
  const figures = all.map(
    ({ file, name }) =>
      `<figure><a href="${file}"><img loading="lazy" width="360" src="${file}" alt=""></a><figcaption>${name}</figcaption></figure>`,
  )
  return `<!doctype html><meta charset="utf-8"><title>Leadline, every screen</title>
<style>body{font:14px sans-serif;display:flex;flex-wrap:wrap;gap:16px}figure{margin:0}img{border:1px solid #ccc}</style>
${figures.join('\n')}`
}
