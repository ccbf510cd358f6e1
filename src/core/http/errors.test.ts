import { expect, test } from 'vitest'
import { isUniqueViolation } from './errors.ts'

test('a unique index is recognized by its name, on a shard of a cluster too', () => {
  const violation = (constraint: string) => ({ cause: { code: '23505', constraint }, code: '23505' })
  expect(isUniqueViolation(violation('leads_provider'), 'leads_provider')).toBe(true)
  expect(isUniqueViolation(violation('leads_provider_102011'), 'leads_provider')).toBe(true)
  expect(isUniqueViolation(violation('leads_provider_key'), 'leads_provider')).toBe(false)
  expect(isUniqueViolation({ ...violation('leads_provider'), code: '23503' }, 'leads_provider')).toBe(false)
})
