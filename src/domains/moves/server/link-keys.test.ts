import { expect, test } from 'vitest'
import { accountKeys, spammerKeys } from './link-keys.ts'

test('an account and a spammer are found by an email at an international domain, however either system writes it [EDGE-05]', () => {
  const ids = [{ name: 'email', value: 'info@xn--mller-kva.example' }]
  for (const email of ['info@m\u00fcller.example', 'INFO@M\u00dcLLER.example', 'Info@xn--mller-kva.example']) {
    expect(accountKeys('ann', email).ids, email).toEqual(ids)
    expect(spammerKeys(null, email).ids, email).toEqual(ids)
  }
  expect(accountKeys('ann', 'no address').ids).toEqual([{ name: 'email', value: 'no address' }])
})
