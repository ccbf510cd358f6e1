import { isUtf8 } from 'node:buffer'

const utf8 = new TextDecoder() // making one takes longer than decoding a request's body

/** Returns the charset that a content type declares, if there is a decoder for it. */
export function readCharset(contentType: string): string | null {
  const label = /charset\s*=\s*["']?([^"';\s,]+)/i.exec(contentType)?.[1]
  try {
    if (label === undefined) return null
    return /^utf-?8$/i.test(label) ? utf8.encoding : new TextDecoder(label).encoding
  } catch {
    return null // no such charset
  }
}

/**
 * Decodes text: its own mark decides, then the declared charset. Bytes that are declared as UTF-8 or not at all, and are not, are
 * Windows-1252, which old programs write without a word.
 */
export function decodeBytes(bytes: Uint8Array, charset: string | null = null): string {
  const marked = findMarkedCharset(bytes)
  const declared = marked ?? charset ?? 'utf-8'
  if (declared !== 'utf-8') return new TextDecoder(declared).decode(bytes)
  return isUtf8(bytes) ? utf8.decode(bytes) : new TextDecoder('windows-1252').decode(bytes)
}

/**
 * Returns text whose UTF-8 a sender has read as Windows-1252 as it was written, once or more often: `JosÃ©` is José. Only text that has
 * nothing else beyond ASCII and is UTF-8 so, because IRMÃ and CAFÉ™ are words.
 */
export function undoDoubleEncoding(text: string): string {
  if (!twiceEncoded.test(text) || !onlyTwiceEncoded.test(text)) return text
  const bytes = Uint8Array.from(text, (letter) => windowsBytes.get(letter) ?? letter.charCodeAt(0))
  return isUtf8(bytes) ? undoDoubleEncoding(utf8.decode(bytes)) : text
}

const windowsBytes = new Map(
  Array.from({ length: 32 }, (_, at) => [new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + at)), 0x80 + at]),
)
/** How a later byte of a letter reads. One that could be punctuation, as in `IRMÃ…`, counts only if a letter follows it. */
const later = '[\\u0080-\\u00bf€ƒ†‡ˆ‰ŠŒŽ˜šœžŸ]|[‚„…‹‘’“”•–—™›](?=\\p{L})'
const anyLater = `[\\u0080-\\u00bf${[...windowsBytes.keys()].join('')}]`
/** A letter of Europe, a sign such as a quote, a dash or the euro, or an emoji, in two to four letters. */
const inPieces = `\\u00c2[\\u0080-\\u00bf]|[\\u00c3-\\u00c5](?:${later})|\\u00e2${anyLater}{2}|\\u00ef\\u00b8\\u008f|\\u00f0[Ÿ\\u009f]${anyLater}{2}`
const twiceEncoded = new RegExp(inPieces, 'u')
const onlyTwiceEncoded = new RegExp(`^(?:[\\0-\\x7f]|${inPieces})*$`, 'u')

function findMarkedCharset([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}

/**
 * Parses a URL-encoded form. The charset that the request declares, or the form itself in `_charset_`, says what the encoded bytes are.
 */
export function parseUrlEncoded(bytes: Buffer, charset: string | null): [name: string, value: string][] {
  const pairs = bytes
    .toString('latin1') // a character for each byte
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      return [at === -1 ? pair : pair.slice(0, at), at === -1 ? '' : pair.slice(at + 1)].map(toEncodedBytes) as [
        Buffer,
        Buffer,
      ] // two parts
    })
  const named = pairs.find(([name]) => name.toString('latin1') === '_charset_')?.[1].toString('latin1')
  const declared = charset ?? (named === undefined ? null : readCharset(`charset=${named}`))
  return pairs.map(([name, value]) => [decodeBytes(name, declared), decodeBytes(value, declared)])
}

/** A plus is a space, but where the sender has not encoded it: no phone begins with a space, and no address has one. */
const spacePlus = /(?!^\+\d)\+/g
const bareAddress = /^[^@%+]+\+[^@%+]+@[^@%+]+$/

const toEncodedBytes = (text: string): Buffer =>
  Buffer.from(
    (bareAddress.test(text) ? text : text.replace(spacePlus, ' ')).replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  )
