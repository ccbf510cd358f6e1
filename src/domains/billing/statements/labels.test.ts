import { expect, test } from 'vitest'
import { getStatementBadge, isToSend } from './labels.ts'

test('an ended cycle without lines has nothing to bill, and is not offered to be sent [ACCT-04]', () => {
  const [empty, billed] = [
    { state: 'ended' as const, lines: [] },
    { state: 'ended' as const, lines: [{}] },
  ]
  expect([empty, billed].map(isToSend)).toEqual([false, true])
  expect([empty, billed, { ...empty, state: 'open' as const }].map((one) => getStatementBadge(one)[1])).toEqual([
    'Nothing to bill',
    'To send',
    'Open',
  ])
})
