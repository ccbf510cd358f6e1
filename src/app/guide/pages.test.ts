import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Flag, flags } from '#contract/allow.ts'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { guideKey, guidePath } from '../layout/guide-address.ts'
import { screens } from '../ui/screens.ts'
import { guide, guideFor } from './pages.ts'
import { bestLine, isFound, partsOf, wordsOf } from './search.ts'

const folder = join(import.meta.dirname, 'pictures')
const person = (held: readonly Flag[], role: Partial<CurrentUser>): CurrentUser => ({
  id: 1,
  username: 'ann',
  email: 'ann@example.com',
  isAdmin: false,
  isSuperAdmin: false,
  isCustomer: false,
  tools_links: [],
  permissions: Object.fromEntries(flags.map((flag) => [flag, held.includes(flag)])) as CurrentUser['permissions'],
  hidden_columns: [],
  tables: {},
  saw_tour: true,
  ...role,
})
const root = person(flags, { isAdmin: true, isSuperAdmin: true })
const pagesOf = (me: CurrentUser) => guideFor(me).flatMap(({ pages }) => pages)
const all = guide.flatMap(({ pages }) => pages)

test('every screen has its page, which whoever may open the screen may read', () => {
  for (const { path, allow } of screens.filter((screen) => screen.path !== guidePath)) {
    const page = all.find(({ key }) => key === guideKey(path))
    expect(page, path).toBeDefined()
    expect(page?.allow).toBe(allow)
  }
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length)
})

test('a page is told to nobody who may not open its screen', () => {
  for (const flag of flags) {
    for (const me of [person([flag], {}), person([flag], { isAdmin: true })])
      for (const { key } of pagesOf(me)) {
        const page = all.find((one) => one.key === key)
        expect(page?.allow(me), `${key} with ${flag}`).toBe(true)
        const screen = screens.find(({ path }) => path === page?.screen)
        expect(screen?.allow(me) ?? true, `${key} leads to a screen that ${flag} does not open`).toBe(true)
      }
  }
})

test('a client reads nothing of Home, which their menu does not have', () => {
  const titles = (me: CurrentUser) => pagesOf(me).map(({ title }) => title)
  expect(titles(person(['leads', 'archivedleads'], { isCustomer: true })).slice(0, 2)).not.toContain('Home')
  expect(titles(person(['leads'], {}))[0]).toBe('Home')
})

test('every picture is there in both themes, is light, and none is left over', () => {
  const files = readdirSync(folder)
  const named = new Set(all.flatMap(({ tellings }) => tellings.flatMap(({ picture }) => picture?.name ?? [])))
  const kept = files.map((file) => file.replace(/-\d+x\d+\.webp$/, ''))
  expect(kept.toSorted()).toEqual([...named].flatMap((name) => [`${name}-dark`, `${name}-light`]).toSorted())
  const sizes = files.map((file) => statSync(join(folder, file)).size)
  expect(Math.max(...sizes)).toBeLessThan(70_000)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(2_500_000)
})

test('a page is found by words of its title and its text together, in any case, and by all of them', () => {
  const found = (words: string) =>
    pagesOf(root)
      .filter((page) => isFound(page, wordsOf(words)))
      .map(({ key }) => key)
  expect(found('  POLYGON zip ')).toContain('campaign-area')
  expect(found('serves polygon')).toEqual(['campaign-area']) // one word of the title, one of the text
  expect(found('polygon unheard-of')).toEqual([])
  expect(found('**')).toEqual([]) // what makes words bold is no text
  expect(found('')).toHaveLength(pagesOf(root).length)
  const area = pagesOf(root).find(({ key }) => key === 'campaign-area')!
  expect(bestLine(area, ['polygon', 'corner'])).toContain('Draw polygon')
  expect(bestLine(area, ['serves'])).toBeNull()
})

test('what was looked for is marked as it stands, and signs are no patterns', () => {
  expect(partsOf('Leads lead', ['lead', 'leads'])).toEqual([
    { text: 'Leads', hit: true },
    { text: ' ', hit: false },
    { text: 'lead', hit: true },
  ])
  expect(partsOf('Why (so)?', ['(so)?'])).toEqual([
    { text: 'Why ', hit: false },
    { text: '(so)?', hit: true },
  ])
  expect(partsOf('nothing', [])).toEqual([{ text: 'nothing', hit: false }])
})
