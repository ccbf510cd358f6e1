/** Formats a number with its noun: `1 lead`, `1,200 leads`, `2 companies`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
