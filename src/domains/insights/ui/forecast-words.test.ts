import { expect, test } from 'vitest'
import { formatForecast, formatRange } from './forecast-words.ts'

test('a forecast is written with its range, and as one number where both ends are written alike', () => {
  expect(formatForecast({ expected: 52.4, low: 35, high: 71 })).toBe('52 (35–71)')
  expect(formatForecast({ expected: 1.2, low: 0.8, high: 1.4 })).toBe('1')
  expect(formatForecast({ expected: 1, low: 0, high: 0 })).toBe('1 (0)')
  expect(formatRange({ low: 0.6, high: 1.4 })).toBe('1')
})
