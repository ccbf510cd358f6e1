import { expect, test } from 'vitest'
import { moneyField } from './fields.ts'

test('money has at most two decimals, however large it is', () => {
  const isTaken = (amount: number) => moneyField.safeParse(amount).success
  for (const amount of [0, 0.1, 0.29, 19.99, 0.1 + 0.2, 295_283_907.54, 4_332_027_365.23, 9_999_999_999.99])
    expect(isTaken(amount), String(amount)).toBe(true)
  for (const amount of [0.001, 1.005, 295_283_907.541, 10_000_000_000, -0.01])
    expect(isTaken(amount), String(amount)).toBe(false)
})
