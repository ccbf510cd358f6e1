import { expect, test } from 'vitest'
import { formatBriefMoney, formatMoney } from './money.ts'

test('money has its cents in tables, and elsewhere only where there are some [DESK-09]', () => {
  expect([0, 1250, 1250.5, -0.01].map(formatMoney)).toEqual(['$0.00', '$1,250.00', '$1,250.50', '-$0.01'])
  expect([0, 1250, 1250.5, 99.999].map(formatBriefMoney)).toEqual(['$0', '$1,250', '$1,250.50', '$100'])
})
