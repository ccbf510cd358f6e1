import { shortMonthNames } from '#contract/days.ts'
/** Nov 2026 */
export const formatMonthTitle = ({ month, year }: { month: number; year: number }) =>
  `${shortMonthNames[month - 1]} ${year}`
