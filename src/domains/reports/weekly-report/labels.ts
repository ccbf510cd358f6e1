const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Nov 2026 */
export const formatMonthTitle = ({ month, year }: { month: number; year: number }) => `${monthNames[month - 1]} ${year}`
