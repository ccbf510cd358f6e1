/** Returns the first `length` characters of a text. One that takes two code units, such as an emoji, is never cut in half. */
export const cutText = (text: string, length: number) => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
