import { expect, test } from 'vitest'
import { cutDeepValues, isTooDeep } from './json-depth.ts'

const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

test('what is nested deeper than 100 levels is left out, the rest stays as it stands', () => {
  for (const text of ['{"a":[1,{"b":"]}["}]}', nest(100), '"[\\"["', '', ']]', '[['])
    expect([isTooDeep(text), cutDeepValues(text)]).toEqual([false, text])
  expect([isTooDeep(nest(101)), cutDeepValues(nest(101))]).toEqual([true, `${'['.repeat(100)}null${']'.repeat(100)}`])
  const body = `{"a":${nest(5000)},"b":"\\\\[","c":${nest(300)},"d":1}`
  expect(JSON.parse(cutDeepValues(body))).toMatchObject({ b: '\\[', d: 1 })
  expect(isTooDeep(`"${'['.repeat(500)}"`)).toBe(false)
})
