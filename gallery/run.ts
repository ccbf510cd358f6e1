import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { declaredScreens } from '#app/ui/parts.ts'
import type { AccessSubject } from '#contract/allow.ts'
import { buildRecordPath, type RecordKind, recordPaths } from '#contract/record-paths.ts'
import { findBrowser } from '#test/find-browser.ts'
import { startAgencies } from './agencies.ts'
import { startDemo, type Visitor } from './demo.ts'
import { photographGuide } from './guide.ts'
import { photographReadme } from './readme.ts'
import { screenStates } from './screen-states.ts'
import {
  type Screenshot,
  type ScreenshotTarget,
  takeDialogScreenshots,
  takeScreenshot,
  takeScreenshotInState,
} from './screenshots.ts'

/**
 * npm run gallery -- [--only clients] [--states]: a picture of every screen that each kind of person has in the demo, in three
 * sizes, light and dark, and of the dialogs that its buttons open; gallery/pictures/index.html shows them all. With `--states`,
 * the screens with no rows, one and ten thousand, while they load, when the server fails, and without a network. With
 * `--guide [--only leads,clients]`, the pictures of the guide; with `--readme`, those of the README, saved in place.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    states: { type: 'boolean', default: false },
    guide: { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
  },
})
const folder = join(import.meta.dirname, 'pictures')
type Look = { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' }
const [desk, laptop, phone] = [
  { width: 1440, height: 900 },
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]
const looks: Look[] = [
  { viewport: desk, colorScheme: 'light' },
  { viewport: desk, colorScheme: 'dark' },
  // The middle size differs from the first only in width: one theme is enough.
  { viewport: laptop, colorScheme: 'light' },
  { viewport: phone, colorScheme: 'light' },
  { viewport: phone, colorScheme: 'dark' },
]

const browser = await launch()
if (values.guide) process.exit(await inDemo((demo) => photographGuide(browser, demo, values.only)))
if (values.readme) process.exit(await inDemo((demo) => photographReadme(browser, demo)))
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const pictures: Screenshot[] = []
try {
  await (values.states ? states() : screens())
} finally {
  await browser.close()
}
writeFileSync(join(folder, 'index.html'), page(pictures))
process.stdout.write(`${pictures.length} pictures in ${folder}, see index.html\n`)
const broken = pictures.filter(({ errors }) => errors.length > 0)
for (const { file, errors } of broken) process.stdout.write(`${file}: ${errors.join('; ')}\n`)
process.exit(broken.length > 0 ? 1 : 0)

async function inDemo(photograph: (demo: Awaited<ReturnType<typeof startDemo>>) => Promise<void>): Promise<number> {
  const demo = await startDemo()
  try {
    await photograph(demo)
    return 0
  } finally {
    await browser.close()
    await demo.stop()
  }
}

async function screens() {
  const demo = await startDemo()
  try {
    for (const person of demo.people)
      for (const [turn, look] of looks.entries())
        await walk(demo.url, person, look, '', async (shot) => {
          pictures.push(await takeScreenshot(shot))
          if (turn === 0 && person.name === 'super-admin') pictures.push(...(await takeDialogScreenshots(shot)))
        })
  } finally {
    await demo.stop()
  }
}

async function states() {
  const { agencies, stop } = await startAgencies()
  const few: Look[] = [looks[0]!, looks.at(-1)!]
  try {
    for (const { name, url, people } of agencies)
      for (const person of people)
        for (const look of few)
          await walk(url, person, look, name, async (shot) => pictures.push(await takeScreenshot(shot)))
    const { url, people } = agencies.at(-1)!
    for (const [name, trouble] of Object.entries(screenStates))
      for (const look of few)
        await walk(url, people[0]!, look, name, async (shot) =>
          pictures.push(await takeScreenshotInState(trouble, shot)),
        )
  } finally {
    await stop()
  }
}

/** Takes every screen that this person has, one after the other. */
async function walk(
  url: string,
  person: Visitor,
  look: Look,
  state: string,
  take: (shot: ScreenshotTarget) => Promise<unknown>,
) {
  const context = await browser.newContext({ ...look, reducedMotion: 'reduce' })
  const token = await person.enter(context)
  const paths = token ? ['/user-guide', ...(await screensOf(url, token))] : ['/login', '/rate', '/nowhere']
  const name = [state, person.name, look.viewport.width, look.colorScheme].filter(Boolean).join('-')
  for (const path of paths.filter((one) => one.includes(values.only))) await take({ context, url, path, folder, name })
  await context.close()
  process.stdout.write(`${name}: ${pictures.length} pictures so far\n`)
}

/** Returns the paths of this person's screens, of the newest lead, and for super admins of the first of each other record. */
async function screensOf(url: string, token: string): Promise<string[]> {
  const read = async (path: string) =>
    (await fetch(`${url}/api/${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
  const me = (await read('user/me')) as AccessSubject // our own contract
  const { data = [] } = (await read('leads/list/data?per_page=1')) as { data?: { id: number }[] } // a refusal has none
  const kinds = Object.keys(recordPaths).filter((kind) => kind !== 'lead') as RecordKind[]
  return [
    ...declaredScreens.filter(({ allow, path }) => allow(me) && !path.includes('$')).map(({ path }) => path),
    ...data.flatMap(({ id }) => [`/leads?lead=${id}`, buildRecordPath('lead', id)]),
    ...(me.isSuperAdmin ? kinds.map((kind) => buildRecordPath(kind, 1)) : []),
  ]
}

async function launch(): Promise<Browser> {
  const found = await findBrowser()
  if (!found) throw new Error('There is no Chromium here: install one, or name it in CHROME_PATH')
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run']
  return chromium.launch({ executablePath: found.path, env: { ...process.env, ...found.env }, args })
}

function page(all: Screenshot[]): string {
  const figures = all.map(
    ({ file, name }) =>
      `<figure><a href="${file}"><img loading="lazy" width="360" src="${file}" alt=""></a><figcaption>${name}</figcaption></figure>`,
  )
  return `<!doctype html><meta charset="utf-8"><title>Leadline, every screen</title>
<style>body{font:14px sans-serif;display:flex;flex-wrap:wrap;gap:16px}figure{margin:0}img{border:1px solid #ccc}</style>
${figures.join('\n')}`
}
