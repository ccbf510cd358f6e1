/**
 * How the values of a column are read. One value that shows it decides the column; where none does, or where two contradict each
 * other, a person is asked, and the preset is what the column runs as until then.
 */
export type ColumnReading<As extends string> = {
  as: As
  preset: As
  /** Whether the values alone do not decide it. */
  asked: boolean
  /** Whether its values show different readings, or none that is likely, so that nothing may run before an answer. */
  contradicts: boolean
}

export const decimalMarks = ['point', 'comma'] as const
/** The sign before the cents. */
export type DecimalMark = (typeof decimalMarks)[number]
export const numberExamples = { point: '1,200.50', comma: '1.200,50' } as const satisfies Record<DecimalMark, string>

/** How days are written in figures: month, day and year; day, month and year; or the year first. */
export const dateOrders = ['mdy', 'dmy', 'ymd'] as const
export type DateOrder = (typeof dateOrders)[number]
export const dateExamples = {
  mdy: 'month/day/year, such as 11/25/2026',
  dmy: 'day/month/year, such as 25/11/2026',
  ymd: 'year-month-day, such as 2026-11-25',
} as const satisfies Record<DateOrder, string>
export const readingExamples = { ...numberExamples, ...dateExamples }

export const decideReading = <As extends string>(as: As): ColumnReading<As> => ({
  as,
  preset: as,
  asked: false,
  contradicts: false,
})
export const askReading = <As extends string>(preset: As, contradicts = false): ColumnReading<As> => ({
  as: preset,
  preset,
  asked: true,
  contradicts,
})

export const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/g
export const toPlainDigit = (arabicDigit: string): string => String(arabicDigit.charCodeAt(0) & 15)

/** Returns text as a keyboard writes it: plain spaces, digits, signs and apostrophes, and no marks that cannot be seen. */
export const toPlainSigns = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(arabicDigits, toPlainDigit)
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/[\u2010-\u2015\u2212\ufe58\ufe63]/g, '-')
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .trim()

/** Returns whether a spreadsheet has shortened the number, such as `1.51E+10`, or `####` in a narrow column: its digits are lost. */
export const isShortenedNumber = (text: string): boolean =>
  /^(?:[-+]?\d+([.,]\d+)?e[-+]?\d+|#{3,})$/i.test(toPlainSigns(text))
/** The same for an id, which may have an e between its own digits: a spreadsheet writes the sign as well. */
export const isShortenedId = (text: string): boolean => isShortenedNumber(text) && /[+#]/.test(text)
export const shortenedNumberMessage = 'Excel has shortened this number'
