/** Returns words with a full stop, unless they end like a sentence: a company’s name may end in `Inc.`. */
export const endSentence = (words: string): string => (/[?!.]$/.test(words) ? words : `${words}.`)
