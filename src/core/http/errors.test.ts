import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { isDatabaseUnavailable, isUniqueViolation } from './errors.ts'

test('a missing socket means that the database is unavailable, any other missing file does not', async () => {
  const lost = (work: Promise<unknown>) => work.catch((error: unknown) => error)
  const socket = await lost(new pg.Client({ host: '/nowhere', user: 'leadline' }).connect())
  const file = await lost(readFile('/nowhere/image.png'))
  expect([socket, new Error('Failed query', { cause: socket }), file].map(isDatabaseUnavailable)).toEqual([
    true,
    true,
    false,
  ])
})

test('a unique index is recognized by its name', () => {
  const violation = (constraint: string) => ({ cause: { code: '23505', constraint }, code: '23505' })
  expect(isUniqueViolation(violation('leads_provider'), 'leads_provider')).toBe(true)
  expect(isUniqueViolation(violation('leads_provider_key'), 'leads_provider')).toBe(false)
  expect(isUniqueViolation({ ...violation('leads_provider'), code: '23503' }, 'leads_provider')).toBe(false)
})
