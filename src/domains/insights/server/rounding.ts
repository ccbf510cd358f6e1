export const roundTo = (value: number, digits: number) => Number(value.toFixed(digits))
