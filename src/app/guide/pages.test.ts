import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type PermissionFlag, permissionFlags } from '#contract/allow.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { maxImportLines } from '#domains/imports/contract.ts'
import { leadTags } from '#domains/leads/labels.ts'
import { getGuideKey, guidePath } from '../layout/guide-address.ts'
import { appScreens } from '../ui/screens.ts'
import { isInAudience } from './audiences.ts'
import { createGuide, getVisibleGuide } from './pages.ts'
import { parseGuidePage } from './parse-page.ts'
import { fillPlaceholders } from './placeholders.ts'
import { createSearchIndex, findBestLine, searchGuide, splitByTerms } from './search.ts'

const folder = join(import.meta.dirname, 'pictures')
const person = (held: readonly PermissionFlag[], role: Partial<CurrentUserDto>): CurrentUserDto => ({
  id: 1,
  username: 'ann',
  email: 'ann@example.com',
  pending_email: null,
  isAdmin: false,
  isSuperAdmin: false,
  isCustomer: false,
  timezone: null,
  tools_links: [],
  permissions: Object.fromEntries(
    permissionFlags.map((flag) => [flag, held.includes(flag)]),
  ) as CurrentUserDto['permissions'],
  hidden_columns: [],
  chosen_views: [],
  tables: {},
  saw_tour: true,
  time_format: '24h',
  seen_by: null,
  ...role,
})
const root = person(permissionFlags, { isAdmin: true, isSuperAdmin: true })
const guide = createGuide(appScreens)
const all = guide.flatMap(({ pages }) => pages)
const pagesOf = (me: CurrentUserDto) => getVisibleGuide(guide, me).flatMap(({ pages }) => pages)

test('every screen has its page, for everyone who may open the screen', () => {
  for (const { path, allow } of appScreens.filter((screen) => screen.path !== guidePath)) {
    const page = all.find(({ key }) => key === getGuideKey(path))
    expect(page, `${path} has no page: write pages/${getGuideKey(path)}.md`).toBeDefined()
    expect(page?.allow).toBe(allow)
    expect(page?.title, `${path} has a title`).not.toBe(page?.key)
  }
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length)
})

test('a page is hidden from everyone who may not open its screen', () => {
  for (const flag of permissionFlags) {
    for (const me of [person([flag], {}), person([flag], { isAdmin: true })])
      for (const { key } of pagesOf(me)) {
        const page = all.find((one) => one.key === key)
        expect(page?.allow(me), `${key} with ${flag}`).toBe(true)
        const screen = appScreens.find(({ path }) => path === page?.screen)
        expect(screen?.allow(me) ?? true, `${key} leads to a screen that ${flag} does not open`).toBe(true)
      }
  }
})

test('a client reads nothing of Home, which their menu does not have', () => {
  const titles = (me: CurrentUserDto) => pagesOf(me).map(({ title }) => title)
  expect(titles(person(['leads', 'archivedleads'], { isCustomer: true })).slice(0, 2)).not.toContain('Home')
  expect(titles(person(['leads'], {}))[0]).toBe('Home')
})

test('a client is not sent to a button that only the login of staff has', () => {
  const read = (me: CurrentUserDto) => JSON.stringify(pagesOf(me).find(({ key }) => key === 'profile'))
  expect(read(person(['leads'], {}))).toContain('Use a passkey')
  expect(read(person(['leads'], { isCustomer: true }))).not.toContain('Use a passkey')
})

test('a reader is not told of what their list of leads does not have', () => {
  const read = (me: CurrentUserDto) => JSON.stringify(pagesOf(me).find(({ key }) => key === 'leads')?.blocks)
  const client = read(person(['leads'], { isCustomer: true }))
  for (const text of [client, read(person(['leads'], {}))]) {
    expect(text).not.toContain('"Verify"')
    expect(text).not.toContain('tick the whole page')
    expect(text).toContain('Leads are cards')
  }
  expect(read(root)).toContain('"Verify"')
})

test('a client, or a leads handler, does not read of a campaign, a lead or a list what only staff have', () => {
  const read = (me: CurrentUserDto, of: string) => JSON.stringify(pagesOf(me).find(({ key }) => key === of)?.blocks)
  const handler = person(['leads'], {})
  const client = person(['leads', 'archivedleads'], { isCustomer: true })
  for (const me of [handler, client]) {
    expect(read(me, 'campaign')).not.toMatch(/Needs attention|This cycle|Why|"picture"/)
    expect(read(me, 'lead')).not.toContain('verdict')
    expect(read(me, 'lists')).not.toMatch(/Client Sites|all admins/)
  }
  expect(read(person(['leads', 'leadChart'], {}), 'campaign')).toContain('This cycle')
  expect(read(client, 'lead')).not.toContain('If the client is in')
  expect(read(client, 'leads')).not.toMatch(/verdict|a client/)
  expect(read(client, 'lists')).not.toContain('Super admins')
  expect(read(client, 'profile')).not.toMatch(/administrator|installation/)
})

test('a client is told that the times of their leads are in their own zone', () => {
  const read = (me: CurrentUserDto) => JSON.stringify(pagesOf(me).find(({ key }) => key === 'profile')?.blocks)
  expect(read(person(['leads'], {}))).toContain('Times are the agency’s')
  expect(read(person(['leads'], { isCustomer: true }))).not.toContain('Times are the agency’s')
})

test('every picture exists in both themes and is small, and none is unused', () => {
  const files = readdirSync(folder)
  const named = new Set(
    all.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'picture' ? block.name : []))),
  )
  const kept = files.map((file) => file.replace(/-\d+x\d+\.webp$/, ''))
  expect(kept.toSorted()).toEqual([...named].flatMap((name) => [`${name}-dark`, `${name}-light`]).toSorted())
  const sizes = files.map((file) => statSync(join(folder, file)).size)
  expect(Math.max(...sizes)).toBeLessThan(80_000)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(2_800_000)
})

test('every markdown file is a page or part of one, and each audience that it names exists', () => {
  const files = readdirSync(join(import.meta.dirname, 'pages')).filter((file) => file.endsWith('.md'))
  const help = 'Each file of pages/ begins with a section of pages.ts and a position in it'
  expect(files.map((file) => file.replace('.md', '')).toSorted(), help).toEqual(all.map(({ key }) => key).toSorted())
  const texts = files.map((file) => readFileSync(join(import.meta.dirname, 'pages', file), 'utf8'))
  const shared = readdirSync(join(import.meta.dirname, 'pages/shared')).map((file) => file.replace('.md', ''))
  expect(shared.filter((name) => !texts.some((text) => text.includes(`<!-- include: ${name} `)))).toEqual([])
  const audiences = all.flatMap(({ blocks }) => blocks.flatMap((block) => block.for ?? []))
  for (const audience of audiences) expect(() => isInAudience(root, [audience])).not.toThrow()
  expect(audiences).toContain('campaigns.update')
  expect(() => isInAudience(root, ['campaigns.repaint'])).toThrow('campaigns.repaint')
})

test('each page begins with what to do, in at most three numbered steps, for everyone who reads it [DESK-10]', () => {
  const readers = {
    'a super admin': root,
    'an admin': person(permissionFlags, { isAdmin: true }),
    'a leads handler': person(permissionFlags, {}),
    'a leads handler without Home’s signals': person(['leads', 'leadChart'], {}),
    'a client': person(permissionFlags, { isCustomer: true }),
  }
  for (const [who, me] of Object.entries(readers))
    for (const { key, blocks } of pagesOf(me)) {
      const [first] = blocks
      expect(first?.type, `${key} for ${who} begins with numbered steps`).toBe('steps')
      expect(first?.type === 'steps' && first.items.length, `the steps of ${key} for ${who}`).toBeLessThan(4)
    }
})

test('numbers and names come from the contracts', () => {
  const texts = new Map(all.map(({ key, blocks }) => [key, JSON.stringify(blocks)]))
  expect(texts.get('import')).toContain(`${maxImportLines.toLocaleString('en-US')} lines`)
  expect(texts.get('leads')).toContain(leadTags.join(', '))
  expect([...texts.values()].join()).not.toMatch(/[{]{2}/)
  expect(() => fillPlaceholders('At most {{maxMoons}} moons')).toThrow('maxMoons')
})

test('a page is parsed from markdown: audiences, includes, and nothing that could not be shown', () => {
  const source =
    '## Keys\n<!-- for: staff, client -->\n\nPress `v`, or **Save**.\n\n<!-- include: files for: staff -->\n\n- one\n\n1. first\n'
  expect(parseGuidePage(`---\ntitle: Lists\nfor: leads.update\n---\n\n${source}`)).toEqual({
    title: 'Lists',
    for: 'leads.update',
    blocks: [
      { type: 'heading', text: 'Keys' },
      { type: 'paragraph', text: ['Press ', { key: 'v' }, ', or ', { bold: 'Save' }, '.'], for: ['staff', 'client'] },
      { type: 'include', page: 'files', for: ['staff'] },
      { type: 'list', items: [['one']] },
      { type: 'steps', items: [['first']] },
    ],
  })
  for (const unknown of [
    '<!-- fro: staff -->',
    '> a quotation',
    '[a link](/leads)',
    '![a picture](elsewhere.png)',
    '1 < 2 <b>bold</b>',
  ])
    expect(() => parseGuidePage(unknown), unknown).toThrow()
})

test('a page is found by words of its title and its text together, in any case, and by all of them', () => {
  const pages = pagesOf(root)
  const index = createSearchIndex(pages)
  const found = (words: string) => searchGuide(index, words).keys
  expect(found('  POLYGON zip ')).toContain('campaign-area')
  expect(found('area polygon')).toEqual(['campaign-area']) // one word of the title, one of the text
  expect(found('polygon unheard-of')).toEqual([])
  expect(found('**')).toEqual([]) // what makes words bold is not text
  expect(found('leads')[0]).toBe('leads') // a word of the title counts most
  expect(searchGuide(index, 'polygn')).toEqual({ keys: ['campaign-area'], hits: ['polygon'] })
  const area = pages.find(({ key }) => key === 'campaign-area')!
  expect(findBestLine(area, ['polygon', 'corner'])).toContain('Draw polygon')
  expect(findBestLine(area, ['serves'])).toBeNull()
})

test('words that were found are marked as written, and punctuation is not a pattern', () => {
  expect(splitByTerms('Leads lead', ['lead', 'leads'])).toEqual([
    { text: 'Leads', hit: true },
    { text: ' ', hit: false },
    { text: 'lead', hit: true },
  ])
  expect(splitByTerms('Why (so)?', ['(so)?'])).toEqual([
    { text: 'Why ', hit: false },
    { text: '(so)?', hit: true },
  ])
  expect(splitByTerms('misleading', ['lead'])).toEqual([{ text: 'misleading', hit: false }])
  expect(splitByTerms('nothing', [])).toEqual([{ text: 'nothing', hit: false }])
})
