import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { topCommands } from '#app/cli/program.ts'
import { projectRoot } from '#core/settings/settings.ts'

/** Checks what the pages claim about the repository: every link works, and every named command and file exists. */
const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8')
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
})
  .toString()
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(projectRoot, file)))
const pages = files.filter((file) => file.endsWith('.md'))
const isThere = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`))

/** Returns each match of the pattern in each page, with the page. */
const named = (pattern: RegExp) =>
  pages.flatMap((page) => [...read(page).matchAll(pattern)].map(([, name = '']) => ({ page, name })))

/** Returns the anchors that GitHub generates for a page's headings. */
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('every link of every page works', () => {
  const links = named(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)
  expect(links.length).toBeGreaterThan(20)
  const dead = links.filter(({ page, name }) => {
    const [path = '', anchor] = name.split('#')
    const target = path === '' ? page : normalize(join(dirname(page), path)).replace(/\/$/, '')
    return !isThere(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
  })
  expect(dead).toEqual([])
})

test('no two decisions have the same number', () => {
  const numbers = pages.flatMap((page) => /^docs\/decisions\/(\d+)/.exec(page)?.[1] ?? [])
  expect(numbers).toEqual([...new Set(numbers)])
})

test('every npm script and tool that a page names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const told = named(/\bnpm run ([a-z][\w:-]*)/g)
  expect(told.length).toBeGreaterThan(5)
  expect(told.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([])
  const tools = named(/\bnpx ([a-z][\w-]*)/g)
  expect(tools.length).toBeGreaterThan(5)
  expect(tools.filter(({ name }) => !existsSync(join(projectRoot, 'node_modules/.bin', name)))).toEqual([])
})

test('every Leadline command that a page names exists', () => {
  const commands = Object.keys(topCommands)
  const told = named(/npx leadline ([a-z][\w-]*)/g)
  expect(told.length).toBeGreaterThan(3)
  expect(told.filter(({ name }) => !commands.includes(name))).toEqual([])
  const jobs = files
    .filter((file) => file.endsWith('jobs.ts'))
    .map(read)
    .join('\n')
  const run = named(/npx leadline run ([a-z][\w-]*)/g)
  expect(run.filter(({ name }) => !jobs.includes(`name: '${name}'`))).toEqual([])
})

const engineers = ['docs/architecture.md', 'CONTRIBUTING.md']
const namedForEngineers = (pattern: RegExp) => named(pattern).filter(({ page }) => engineers.includes(page))

test('every file and folder that a page for engineers names exists, and every file that a decision names', () => {
  const told = named(/`((?:[\w.@-]+\/)*(?:[\w.@-]+\/|[\w.-]+\.(?:tsx?|mjs|css|csv|sql)))`/g).filter(
    ({ page, name }) => engineers.includes(page) || (page.startsWith('docs/decisions/') && !name.endsWith('/')), // folders of others
  )
  expect(told.length).toBeGreaterThan(40)
  // Those of the described domain are named without its folders.
  const missing = told.filter(
    ({ name }) =>
      !files.some((file) => (name.endsWith('/') ? `/${file}`.includes(`/${name}`) : `/${file}`.endsWith(`/${name}`))),
  )
  expect(missing).toEqual([])
})

test('the page of the structure names every domain', () => {
  const list = /^The domains are [\s\S]*?\. /m.exec(read('docs/architecture.md'))?.[0] ?? ''
  const domains = files.flatMap((file) => /^src\/domains\/([\w-]+)\//.exec(file)?.[1] ?? [])
  expect([...new Set(domains)].filter((name) => !list.includes(`\`${name}\``))).toEqual([])
})

test('every function, type and property that a page for engineers names is in the code', () => {
  const code = files.filter((file) => /\.(?:tsx?|mjs)$/.test(file)).map(read)
  const words = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []))
  const told = namedForEngineers(/`(\w*[a-z][A-Z]\w*)(?:\([^`]*\))?`/g)
  expect(told.length).toBeGreaterThan(40)
  expect(told.filter(({ name }) => !words.has(name))).toEqual([])
})

test('every name that a page for engineers says a file has is declared there', () => {
  const told = engineers.flatMap((page) =>
    [...read(page).matchAll(/`(\w+)(?:\([^`]*\))?`\s+(?:of|in)\s+`([\w./-]+\.tsx?)`/g)].map(
      ([, name = '', file = '']) => ({ name, file }),
    ),
  )
  expect(told.length).toBeGreaterThan(3)
  const missing = told.filter(
    ({ name, file }) =>
      !files.some(
        (one) =>
          (one === file || one.endsWith(`/${file}`)) &&
          new RegExp(`\\b(const|function|type) ${name}\\b|\\b${name}:`).test(read(one)),
      ),
  )
  expect(missing).toEqual([])
})
