import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type PermissionFlag, permissionFlags } from '#contract/allow.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { getGuideKey, guidePath } from '../layout/guide-address.ts'
import { appScreens } from '../ui/screens.ts'
import { getVisibleGuide, guideGroups } from './pages.ts'
import { findBestLine, hasAllTerms, splitByTerms, splitSearchTerms } from './search.ts'

const folder = join(import.meta.dirname, 'pictures')
const person = (held: readonly PermissionFlag[], role: Partial<CurrentUserDto>): CurrentUserDto => ({
  id: 1,
  username: 'ann',
  email: 'ann@example.com',
  isAdmin: false,
  isSuperAdmin: false,
  isCustomer: false,
  tools_links: [],
  permissions: Object.fromEntries(
    permissionFlags.map((flag) => [flag, held.includes(flag)]),
  ) as CurrentUserDto['permissions'],
  hidden_columns: [],
  tables: {},
  saw_tour: true,
  ...role,
})
const root = person(permissionFlags, { isAdmin: true, isSuperAdmin: true })
const pagesOf = (me: CurrentUserDto) => getVisibleGuide(me).flatMap(({ pages }) => pages)
const all = guideGroups.flatMap(({ pages }) => pages)

test('every screen has its page, which whoever may open the screen may read', () => {
  for (const { path, allow } of appScreens.filter((screen) => screen.path !== guidePath)) {
    const page = all.find(({ key }) => key === getGuideKey(path))
    expect(page, path).toBeDefined()
    expect(page?.allow).toBe(allow)
  }
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length)
})

test('a page is told to nobody who may not open its screen', () => {
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
      .filter((page) => hasAllTerms(page, splitSearchTerms(words)))
      .map(({ key }) => key)
  expect(found('  POLYGON zip ')).toContain('campaign-area')
  expect(found('serves polygon')).toEqual(['campaign-area']) // one word of the title, one of the text
  expect(found('polygon unheard-of')).toEqual([])
  expect(found('**')).toEqual([]) // what makes words bold is no text
  expect(found('')).toHaveLength(pagesOf(root).length)
  const area = pagesOf(root).find(({ key }) => key === 'campaign-area')!
  expect(findBestLine(area, ['polygon', 'corner'])).toContain('Draw polygon')
  expect(findBestLine(area, ['serves'])).toBeNull()
})

test('what was looked for is marked as it stands, and signs are no patterns', () => {
  expect(splitByTerms('Leads lead', ['lead', 'leads'])).toEqual([
    { text: 'Leads', hit: true },
    { text: ' ', hit: false },
    { text: 'lead', hit: true },
  ])
  expect(splitByTerms('Why (so)?', ['(so)?'])).toEqual([
    { text: 'Why ', hit: false },
    { text: '(so)?', hit: true },
  ])
  expect(splitByTerms('nothing', [])).toEqual([{ text: 'nothing', hit: false }])
})
