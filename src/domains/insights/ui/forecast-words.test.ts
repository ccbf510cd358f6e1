import { expect, test } from 'vitest'
import { describeForecast, describePeriod, formatForecast, formatLeadRange } from './forecast-words.ts'

test('a forecast is written with its range, and as one number where both ends are written alike', () => {
  expect(formatForecast({ expected: 52.4, low: 35, high: 71 })).toBe('52 (35–71)')
  expect(formatForecast({ expected: 1.2, low: 0.8, high: 1.4 })).toBe('1')
  expect(formatForecast({ expected: 1, low: 0, high: 0 })).toBe('1 (0)')
  expect(formatLeadRange({ low: 0.6, high: 1.4 })).toBe('1 lead')
  expect(formatLeadRange({ low: 3.4, high: 6.6 })).toBe('3–7 leads')
})

test('a target is written like the leads beside it', () => {
  const forecast = { expected: 1500, low: 1200, high: 1800, chance: 0.5 }
  expect(describeForecast(forecast, 1600)).toBe('On track for about 1,500 (1,200–1,800). 50% chance to reach 1,600.')
})

test('the leads of a time are counted in the right number', () => {
  expect(describePeriod({ leads: 1, days: 1 })).toBe('1 lead in 1 day')
  expect(describePeriod({ leads: 1200, days: 28 })).toBe('1,200 leads in 28 days')
})
