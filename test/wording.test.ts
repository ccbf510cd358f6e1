import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'

/** The product's own code and texts; the fakes speak as other programs do. */
const files = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(tsx?|md)$/.test(path) && !/\.test\.|fakes\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(projectRoot, 'src', path), 'utf8') }))
const filesWith = (pattern: RegExp) => files.flatMap(({ path, text }) => (pattern.test(text) ? [path] : []))

test('money is formatted in one place [DESK-09]', () => {
  expect(files.length).toBeGreaterThan(1000)
  expect(filesWith(/currency: 'USD'/)).toEqual(['contract/money.ts'])
})

test('what is missing is an en dash, never a longer one [DESK-09]', () => {
  expect(filesWith(/'—'|>—</)).toEqual([])
})

test('texts say time zone and email; the column Client timezone is as specified [DESK-09]', () => {
  expect(filesWith(/'(?!Client timezone')[A-Z][a-z ]*timezone\b|'Timezone\b|select a timezone/)).toEqual([])
  expect(filesWith(/'Mail (is|was|the)\b|'Mails?'|star in a mail|by mail['*]/)).toEqual([])
})
