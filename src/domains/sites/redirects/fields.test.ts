import { expect, test } from 'vitest'
import { redirectDomainFields } from './fields.ts'

test('a 301 domain is a bare host name, whatever its letters, and the dot at its end is none', () => {
  const { form } = redirectDomainFields.domain
  for (const [typed, kept] of [
    ['Old-Shop.COM', 'old-shop.com'],
    ['dächer.com', 'xn--dcher-gra.com'],
    ['old-shop.com.', 'old-shop.com'],
  ] as const)
    expect(form.parse(typed), typed).toBe(kept)
  for (const other of ['old-shop.com..', 'https://old-shop.com', 'old-shop.com/a', '.'])
    expect(form.safeParse(other).error?.issues[0]?.message, other).toBe('Not a domain, such as example.com')
})
