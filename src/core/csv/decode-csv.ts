/** The encodings in which spreadsheets and other tools write CSV files. */
type Charset = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh'

/** Decodes a file of any size, in the encoding that its bytes show; `open` starts reading it, and is called twice. */
export async function* decodeCsvChunks(open: () => AsyncIterable<Buffer>): AsyncGenerator<string> {
  const detector = new CharsetDetector()
  for await (const chunk of open()) detector.add(chunk)
  const decoder = new TextDecoder(detector.charset)
  for await (const chunk of open()) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** Decodes a whole file. Bytes that fit no encoding become U+FFFD. */
export function decodeCsvBytes(bytes: Buffer): string {
  const detector = new CharsetDetector()
  detector.add(bytes)
  return new TextDecoder(detector.charset).decode(bytes)
}

/** Daggers, the sign for thousandths, capitals with a hook and bytes without a letter do not stand inside a word of Windows-1252. */
const macWord =
  /[a-z][\x83\x84\x86-\x90\x98\x9b\x9d\x9f]|[A-Z][\x83\x84\x86-\x89\x8b\x98\x9b\x9f][a-z]|[A-Z][\x83\x84\x86][A-Z]|\x83[a-z]/
/** An ellipsis, a no-break space, dashes and quotes on an old Mac, which are capitals in Windows-1252. */
const macSigns = '\xc9\xca\xd0\xd1\xd2\xd3\xd4\xd5'

/** What another program has written for a letter that it could not read is UTF-8. */
const lostLetter = Buffer.from('\ufffd')

/** So many bytes show whether every second one is zero. */
const startLength = 256

/**
 * A byte order mark decides. Without one, text whose every second byte is mostly zero is UTF-16, text that is not UTF-8 at all is Windows-1252, or from an old Mac if its lines end as there;
 * text that is UTF-8 in some places stays UTF-8, so that only its broken lines are lost.
 */
class CharsetDetector {
  readonly #decoder = new TextDecoder('utf-8')
  #start: Buffer = Buffer.alloc(0)
  #isBroken = false
  #hasUtf8 = false
  #hasLineFeed = false
  #isUnassigned = false
  /** Bytes that are letters on an old Mac, and those that are letters in Windows-1252. */
  #letters = { mac: 0, windows: 0 }
  /** Whether a word has a sign inside that is none in Windows-1252, and a letter on an old Mac: `JosŽ` is José. */
  #hasMacWord = false
  /** The last letters, for a word that goes on in the next chunk. */
  #end = ''

  add(chunk: Buffer): void {
    if (this.#start.length < startLength)
      this.#start = Buffer.concat([this.#start, chunk.subarray(0, startLength)]).subarray(0, startLength)
    const text = this.#decoder.decode(chunk, { stream: true })
    this.#isBroken ||= text.includes('\ufffd')
    this.#hasUtf8 ||= /[\u0080-\ufffc]/.test(text) || chunk.includes(lostLetter)
    this.#hasLineFeed ||= chunk.includes(10)
    const letters = this.#end + chunk.toString('latin1')
    this.#hasMacWord ||= macWord.test(letters)
    this.#end = letters.slice(-2)
    const highBytes = chunk.toString('latin1').match(/[\x80-\xff]/g) ?? []
    this.#isUnassigned ||= highBytes.some((byte) => '\x81\x8d\x8f\x90\x9d'.includes(byte))
    for (const byte of highBytes) {
      if (byte < '\xa0') this.#letters.mac += 1
      else if (byte >= '\xc0' && !macSigns.includes(byte)) this.#letters.windows += 1
    }
  }

  get charset(): Charset {
    const [first, second, third] = this.#start
    if (first === 0xff && second === 0xfe) return 'utf-16le'
    if (first === 0xfe && second === 0xff) return 'utf-16be'
    const [even, odd] = [countZeros(this.#start, 0), countZeros(this.#start, 1)]
    const most = this.#start.length * 0.4
    if (even === 0 && odd > most) return 'utf-16le'
    if (odd === 0 && even > most) return 'utf-16be'
    const isMarked = first === 0xef && second === 0xbb && third === 0xbf
    // A last character that is cut off is broken, too.
    const isBroken = this.#isBroken || this.#decoder.decode().length > 0
    if (isMarked || !isBroken || this.#hasUtf8) return 'utf-8'
    const { mac, windows } = this.#letters
    if (this.#hasMacWord && windows === 0) return 'macintosh'
    if (!this.#hasLineFeed && mac > 0) return windows === 0 ? 'macintosh' : 'utf-8'
    return this.#isUnassigned ? 'utf-8' : 'windows-1252'
  }
}

const countZeros = (bytes: Buffer, parity: 0 | 1) =>
  bytes.reduce((count, byte, at) => count + Number(byte === 0 && at % 2 === parity), 0)
