/** Money is summed in whole cents; the API and forms use dollars. */
export const toCents = (dollars: number): number => Math.round(dollars * 100)
export const toDollars = (cents: number): number => cents / 100
