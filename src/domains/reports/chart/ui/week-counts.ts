import type { LeadChart } from '../contract.ts'

/** Returns the leads by the Monday of their week. */
export const readWeekCounts = ({ statistic }: LeadChart) =>
  new Map(
    statistic.dates.map((date, index) => [
      date,
      { confirmed: statistic.confirmed[index] ?? 0, missed: statistic.missed[index] ?? 0 },
    ]),
  )
