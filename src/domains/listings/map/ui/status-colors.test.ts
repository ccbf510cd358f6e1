import { expect, test } from 'vitest'
import { getPinColor } from './status-colors.ts'

const pin = (status: number, color: string | null = null) => getPinColor({ status, color })

test('live is green, suspended is red, everything else is orange [CMAP-05]', () => {
  const [green, red, orange] = [pin(1), pin(4), pin(2)]
  expect(new Set([green, red, orange]).size).toBe(3)
  expect([pin(3), pin(5)]).toEqual([orange, orange])
  const [r, g, b] = /#(..)(..)(..)/
    .exec(green)!
    .slice(1)
    .map((hex) => Number.parseInt(hex, 16))
  expect(g! > r! && g! > b!).toBe(true)
})

test('a category’s color replaces any of them [CMAP-05]', () => {
  expect([pin(1, '#123456'), pin(4, '#123456')]).toEqual(['#123456', '#123456'])
})
