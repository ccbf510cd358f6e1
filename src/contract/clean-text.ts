/**
 * Returns text as it is stored: Unicode NFC, its ends trimmed, without characters that no one sees (format and control characters, half
 * surrogate pairs), '' if nothing else is left. Joiners stay where an emoji or a script needs them, and so do line breaks.
 */
export function cleanText(text: string): string {
  if (isPlain(text)) return text.trim()
  const seen = text
    .toWellFormed()
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(neededOrUnseen, (found, needed?: string) => (needed === undefined ? '' : found))
    .normalize('NFC')
    .trim()
  return isBlank.test(seen) ? '' : seen
}

/** Most text; the rest takes longer. */
const isPlain = (text: string) => !/[^\n\t\x20-\x7e]/.test(text)

/** Scripts in which joiners change how letters are drawn. */
const joiningScripts =
  'Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan'.replace(
    / ?(\w+)/g,
    String.raw`\p{sc=$1}`,
  )

const needed = [
  String.raw`(?<=[${joiningScripts}]\p{M}{0,8})[\u200c\u200d]`,
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]{0,2})\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6})[\u{e0020}-\u{e007f}]`, // the flags of England, Scotland and Wales
  String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`, // signs that are seen although Unicode calls them format
]
const neededOrUnseen = new RegExp(String.raw`(${needed.join('|')})|\p{Cf}|[^\P{Cc}\n\t]`, 'gu')

/** Fillers and joiners, and the empty pattern of Braille, which are seen only beside others. */
const isBlank = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u
