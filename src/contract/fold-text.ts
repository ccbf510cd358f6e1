/**
 * Returns what is compared of a text, wherever a person's spelling must not matter: search, spam words, duplicates, names in files.
 * Case, accents, width and style of letters, format characters, the kinds of apostrophes and dashes, and runs of white space make no
 * difference; letters without a decomposition are as they are usually written without it.
 */
export function foldText(text: string): string {
  const letters = isAscii(text) ? text.toLowerCase() : foldLetters(text)
  const alike = letters.includes('`') ? letters.replaceAll('`', "'") : letters
  return /\s\s|[^\S ]/.test(alike) ? alike.replace(/\s+/g, ' ') : alike
}

/**
 * Returns what a search compares, of what is typed as of what is found: as `foldText`, and an apostrophe may be left out, a dash be a
 * space, so that `oconnor` finds O'Connor, and `smith jones` Smith-Jones. `fold_search` and `likeFolded` do the same in PostgreSQL.
 */
export const foldSearch = (text: string): string => dropApostrophes(foldText(text)).replaceAll('-', ' ')
export const dropApostrophes = (folded: string): string => folded.replaceAll("'", '')

/** PostgreSQL's `fold_text` does the same, for what is searched there; a test compares the two for every character. */
const foldLetters = (text: string): string =>
  text
    .normalize('NFC')
    .replace(apostrophes, "'") // before NFKC, which makes spaces of some
    .normalize('NFKC')
    .replace(apostrophes, "'") // after it too: a double prime becomes two
    .toLowerCase()
    .normalize('NFD')
    .replace(accentsAndUnseen, '')
    .replace(dashes, '-')
    .replace(/[^\0-\x7f]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC')

const apostrophes = /[\u00b4\u02b9-\u02bd\u02c8\u0374\u055a\u05f3\u2018-\u201b\u2032\u2035\ua78b\ua78c\uff07\uff40]/g
/** The marks of other scripts are letters of their own, and stay. */
const accentsAndUnseen =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
const dashes = /[\p{Pd}\u2212\u2043]/gu

/** Letters that Unicode does not decompose, quotes, and the sigma at the end of a word. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
  ...pairLetters(
    'øłđðħŧıȷŋĸƀɓƃƈȼɖɗƌɇəƒɠǥɨɩɉƙƚɫɲƞɵƥɍʂƭʈʉʋƴɏƶȥς“”„‟«»',
    'olddhtijnkbbbccdddeefggiijkllnnoprsttuvyyzzσ""""""',
  ),
}

function pairLetters(from: string, to: string): Record<string, string> {
  return Object.fromEntries([...from].map((letter, at) => [letter, to[at]!]))
}

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)
