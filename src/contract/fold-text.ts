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

const foldLetters = (text: string): string =>
  text
    .replace(/[\u00b4\u02b9-\u02bd\u02c8\u0374\u055a\u05f3\u2018-\u201b\u2032\u2035\ua78b\ua78c\uff07\uff40]/g, "'") // before NFKC, which makes some a space
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(
      /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\p{Default_Ignorable_Code_Point}\p{Cf}]/gu,
      '',
    )
    .replace(/[\p{Pd}\u2212\u2043]/gu, '-')
    .replace(/[^\0-\x7f]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC')

/** Letters that Unicode does not decompose. The marks of other scripts are letters of their own, and stay. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    ł: 'l',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ħ: 'h',
    ŧ: 't',
    ı: 'i',
    ȷ: 'j',
    ŋ: 'n',
    ĸ: 'k',
  },
  ...{
    ƀ: 'b',
    ɓ: 'b',
    ƃ: 'b',
    ƈ: 'c',
    ȼ: 'c',
    ɖ: 'd',
    ɗ: 'd',
    ƌ: 'd',
    ɇ: 'e',
    ə: 'e',
    ƒ: 'f',
    ɠ: 'g',
    ǥ: 'g',
    ɨ: 'i',
    ɩ: 'i',
  },
  ...{
    ɉ: 'j',
    ƙ: 'k',
    ƚ: 'l',
    ɫ: 'l',
    ɲ: 'n',
    ƞ: 'n',
    ɵ: 'o',
    ƥ: 'p',
    ɍ: 'r',
    ʂ: 's',
    ƭ: 't',
    ʈ: 't',
    ʉ: 'u',
    ʋ: 'v',
    ƴ: 'y',
  },
  ...{ ɏ: 'y', ƶ: 'z', ȥ: 'z', ς: 'σ', '“': '"', '”': '"', '„': '"', '‟': '"', '«': '"', '»': '"' },
}

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)
