import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '#contract/days.ts'
import { listBillingCycles } from './billing-cycles.ts'

test('whatever was sent and however the due day changes, every day is in one cycle and sent ones keep their days [RPT-07]', () => {
  const dueDay = fc.integer({ min: 1, max: 31 })
  fc.assert(
    fc.property(dueDay, dueDay, fc.array(fc.boolean(), { maxLength: 13 }), fc.nat(400), (was, is, isSent, length) => {
      const first = '2026-01-15'
      const today = addDays(first, length)
      const ended = listBillingCycles(was, first, today, []).filter(({ to }) => to < today)
      const sent = ended.filter((_, index) => isSent[index])
      const cycles = listBillingCycles(is, first, today, sent)
      expect(cycles).toEqual(expect.arrayContaining(sent))
      expect(cycles.slice(1).map(({ from }) => from)).toEqual(cycles.slice(0, -1).map(({ to }) => addDays(to, 1)))
      expect(cycles[0]!.from <= first && cycles.at(-1)!.from <= today && cycles.at(-1)!.to >= today).toBe(true)
      for (const { from, to } of cycles) expect(from <= to).toBe(true)
    }),
  )
})
