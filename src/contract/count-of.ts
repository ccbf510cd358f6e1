/** Formats a number with its noun, which takes an s in the plural: `1 lead`, `1,200 leads`. */
export const countOf = (count: number, one: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`
