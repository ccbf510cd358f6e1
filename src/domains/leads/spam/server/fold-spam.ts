import { foldText } from '#contract/fold-text.ts'

/**
 * Returns what keywords are looked for in: as `foldText`, and in a word with Latin letters, those of other scripts are the Latin ones that
 * they look like. Spammers mix them to pass filters, and no language does, so no word of a visitor becomes another one.
 */
export const foldSpamText = (text: string): string =>
  foldText(otherScripts.test(text) ? text.replace(words, (word) => (latin.test(word) ? toLatin(word) : word)) : text)

const otherScripts = /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\u0251\u0261]/u
const latin = /\p{sc=Latin}/u
const words = /[\p{L}\p{M}\p{N}]+/gu

const toLatin = (word: string) => word.normalize('NFD').replace(/[^\0-\x7f]/g, (letter) => lookAlikes[letter] ?? letter)

/** After Unicode's list of confusable characters (UTS 39), of the letters that spam is written with. */
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['АВЕІЈКМНОРСЅТУХ', 'ABEIJKMHOPCSTYX'],
    ['авеіјкмнорсѕтухһӏԁԛԝпг', 'abeijkmhopcstyxhldqwnr'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
    ['αβγεηικνορτυχωϲϳ', 'abyenikvoptuxwcj'],
    ['օսոհɑɡ', 'ounhag'],
  ].flatMap(([from = '', to = '']) => [...from].map((letter, at) => [letter, to[at]!])),
)
