/** Money is added up in whole cents; the wire and the forms have dollars. */
export const toCents = (dollars: number): number => Math.round(dollars * 100)
export const toDollars = (cents: number): number => cents / 100
