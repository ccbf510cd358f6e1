import {
  askReading,
  type ColumnReading,
  type DecimalMark,
  decideReading,
  isShortenedNumber,
  numberExamples,
  shortenedNumberMessage,
  toPlainSigns,
} from './column-reading.ts'

/** Reads an amount as people and programs write it; null for anything that this decimal mark does not make a number. */
export const readNumber = (text: string, mark: DecimalMark): number | null => readBothWays(text)[mark]

/** Reads an amount that stands alone; null unless it has only one meaning: `1.500` has two. */
export function readSureNumber(text: string): number | null {
  const { as, asked } = decideNumbers([text])
  return asked ? null : readNumber(text, as)
}

/** Reads an amount that a person typed; null for empty text, NaN for text without one meaning, which every schema refuses. */
export const readTypedAmount = (text: string): number | null =>
  text.trim() === '' ? null : (readSureNumber(text.replace(pointAtEnd, '$1')) ?? Number.NaN)
/** The point of `1500.`, behind which no cents were typed. */
const pointAtEnd = /^([^\d.]*(?:\d{1,3}(?:,\d{3})+|\d+))\.\s*$/

export const typedAmountProblem = 'Not an amount, such as $1,500 or $62.50'

/** Says why a text is no amount, in the form that its column is read in. */
export const describeNumberProblem = (text: string, mark: DecimalMark): string =>
  isShortenedNumber(text)
    ? `Not an amount: ${shortenedNumberMessage}`
    : `Not an amount (such as ${numberExamples[mark]})`

/**
 * Decides how the amounts of a column are read. `1,200` shows a thousands mark and `1500,50` a decimal one; `1.500` shows nothing. In
 * a file whose cells are separated by semicolons, the comma is the decimal mark, and a point before the cents contradicts that.
 */
export function decideNumbers(values: Iterable<string>, separator = ','): ColumnReading<DecimalMark> {
  const column = new NumberColumn()
  for (const value of values) column.add(value)
  return column.decide(separator)
}

/** The same for a column whose values come one by one. */
export class NumberColumn {
  readonly #shown = { point: 0, comma: 0 }
  readonly #open = { point: 0, comma: 0 }

  add(value: string): void {
    const { point, comma } = readBothWays(value)
    if (point === comma) return
    if (point === null) this.#shown.comma += 1
    else if (comma === null) this.#shown.point += 1
    else this.#open[Math.abs(point) > Math.abs(comma) ? 'comma' : 'point'] += 1
  }

  decide(separator: string): ColumnReading<DecimalMark> {
    return separator === ';' ? decideInSemicolons(this.#shown, this.#open) : decideInOthers(this.#shown, this.#open)
  }
}

type MarkCounts = Record<DecimalMark, number>

function decideInSemicolons(shown: MarkCounts, open: MarkCounts): ColumnReading<DecimalMark> {
  if (shown.point > 0) return askReading(shown.point > shown.comma ? 'point' : 'comma', shown.comma > 0)
  const isOpen = open.comma > 0 || (open.point > 0 && shown.comma === 0)
  return isOpen ? askReading('comma') : decideReading('comma')
}

function decideInOthers(shown: MarkCounts, open: MarkCounts): ColumnReading<DecimalMark> {
  const points = shown.point + open.comma // 1,200
  if (shown.comma > 0)
    return points > 0 ? askReading(shown.comma > points ? 'comma' : 'point', true) : decideReading('comma')
  return open.point > 0 && shown.point === 0 ? askReading('point') : decideReading('point')
}

/** The values of a text, with either decimal mark. */
function readBothWays(text: string): Record<DecimalMark, number | null> {
  const plain =
    text.length > 60
      ? ''
      : toPlainSigns(text)
          .replace(/\u066c/g, ',')
          .replace(/\u066b/g, '.') // Arabic marks
  const core = accountingZero.test(plain) ? { digits: '0', isNegative: false } : unwrapAmount(plain)
  if (core === null) return { point: null, comma: null }
  return { point: parseDigits(core, '.', ','), comma: parseDigits(core, ',', '.') }
}

type AmountCore = { digits: string; isNegative: boolean }

/** Takes off quotes, currencies and one sign, in any order; null if there is more around the digits. */
function unwrapAmount(text: string): AmountCore | null {
  let rest = text.replace(/^"(.*)"$/, '$1').replace(/^'(?=\S)/, '')
  let signs = 0
  let isNegative = false
  let currencies = 0
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(currencyBefore, '').replace(currencyAfter, '').trim()
    if (rest !== before) currencies += 1
    const whole = rest.replace(/(\d)([.,]) ?--?$/, '$1$200').replace(/(\d) ?\/-$/, '$1') // 1.200,- and 1200/-
    const bare = whole.replace(/^[-+] ?|^\((.*)\)$| ?-$/, '$1').trim()
    if (bare !== whole) {
      signs += 1
      isNegative = !whole.startsWith('+')
    }
    rest = bare
  }
  return signs > 1 || currencies > 2 || !/^[\d.,' ]*\d$/.test(rest) ? null : { digits: rest, isNegative }
}

function parseDigits({ digits, isNegative }: AmountCore, mark: string, otherMark: string): number | null {
  const [whole = '', cents, ...more] = digits.split(mark)
  if (more.length > 0) return null
  const isGrouped = [otherMark, "'", ' '].some((group) => isInThousands(whole, group))
  if (!isGrouped && !/^\d*$/.test(whole)) return null
  // Three digits after the mark may be thousands as well as decimals; anything longer is neither.
  if (cents !== undefined && !/^\d{1,2}$/.test(cents) && !(/^\d{3}$/.test(cents) && /^[1-9]\d{0,2}$/.test(whole)))
    return null
  const value = Number(`${whole.replace(/\D/g, '')}.${cents ?? ''}0`)
  if (!Number.isSafeInteger(Math.round(value * 1000))) return null
  return isNegative && value !== 0 ? -value : value
}

/** Returns whether the sign stands before every three digits, and nowhere else. */
const isInThousands = (whole: string, group: string) => {
  const [first = '', ...thousands] = whole.split(group)
  return /^[1-9]\d{0,2}$/.test(first) && thousands.length > 0 && thousands.every((three) => /^\d{3}$/.test(three))
}

/** Names, and the letters that stand for them where they are no code. Not those with another meaning: `Q1` is a quarter, `5 km` a way. */
const currencyWords = [
  ...['dollars?', 'euros?', 'pounds?', 'francs?', 'pesos?', 'rupees?', 'rands?', 'yen', 'yuan', 'baht', 'ringgit'],
  ...[
    '(?:us|u\\.s\\.) dollars?',
    'usd',
    'eur',
    'gbp',
    'cad',
    'aud',
    'nzd',
    'chf',
    'inr',
    'mxn',
    'php',
    'rmb',
    'frs?\\.?',
    'sfr\\.?',
    'f ?cfa',
    'kr\\.?',
    'rs\\.?',
    'rm',
    'rp\\.?',
    'dhs?\\.?',
  ],
  ...[
    '(?:k|t|u)sh\\.?',
    'tk\\.?',
    'bs\\.?',
    'gs\\.',
    's/\\.?',
    'b/\\.',
    'zł',
    'kč',
    'lei',
    'tl',
    'din\\.?',
    'kn',
    'лв\\.?',
  ],
  ...['руб\\.?', 'р\\.', 'грн\\.?', 'đ', '円', '元', '원', 'د\\.إ'],
]
/** Not the flag i: the names of currencies are written in capitals, `Top 10` is no amount in TOP. */
function inAnyCase(pattern: string): string {
  return pattern.replace(/\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`)
}
const country = '(?:US|U\\.S\\.|CA|AU|NZ)' // beside the sign of a dollar: US $5, 5 $ US
const currencySign = [
  '(?:[A-Z]{1,3}|Stg|Bds)?(?![\\u00a2\\uffe0\\u20a5])\\p{Sc}', // not the cent sign: 50¢ is half a dollar
  ...[
    'U\\$S',
    `${country} ?\\$`,
    `\\$ ?${country}`,
    'Ft',
    'R(?=[ \\d])',
    ...Intl.supportedValuesOf('currency'),
    ...currencyWords.map(inAnyCase),
  ],
].join('|')
const currencyBefore = new RegExp(`^(?:${currencySign}) ?(?=[-+(.,'\\d]|${currencySign})`, 'u')
/** A spreadsheet's accounting format writes zero as `$ -`. */
const accountingZero = new RegExp(`^(?:(?:${currencySign}) ?-|- ?(?:${currencySign}))$`, 'u')
const currencyAfter = new RegExp(`(?<=[-).\\d]) ?(?:${currencySign}|US)$`, 'u')
