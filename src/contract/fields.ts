import './default-messages.ts'
import { z } from 'zod'
import { cleanText } from './clean-text.ts'
import { fitsLength } from './cut-text.ts'
import { isCalendarDay } from './days.ts'
import { addressSchema, emailMessage, readEmail } from './read-email.ts'

/**
 * The field types of the contract, with which forms validate and the server parses. Messages are set where a field is
 * declared. Query values arrive as text, so the `query*` fields accept text or the value itself.
 */

export const maxInt = 2_147_483_647 // PostgreSQL's integer

/** Returns whether PostgreSQL can store the text: no NUL, no lone surrogate. */
const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed()
const unstorableMessage = 'This text holds a character that cannot be stored'

/** The version that the editor read; without it the last write wins. */
export const versionField = z.int().min(1).optional()

export const blankToUndefined = (value: unknown) => (value === '' ? undefined : value)

/** Text as it is, at most `max` characters: the words of a file or of another program. */
export const exactText = (max: number) =>
  z.string().max(max, `At most ${max} characters`).refine(isStorable, unstorableMessage)

/** Text as it is stored (`cleanText`), at most `max` characters as people count them. */
const cleanString = (max: number, sentence?: string) =>
  z
    .string(sentence)
    .refine(isStorable, unstorableMessage)
    .overwrite(cleanText)
    .refine((value) => fitsLength(value, max), `At most ${max} characters`)
    .meta({ maxLength: max })

/** Free text, at most `max` characters. */
export const textField = (max = 255) => cleanString(max)

/** Required text on one line, such as a name; missing, null and blank all give the field's own message. */
export const requiredText = (sentence: string, max = 255) =>
  cleanString(max, sentence)
    .overwrite((value) => value.replace(/(?<!\s)\s*[\n\t]\s*/g, ' '))
    .min(1, sentence)

/** The same of any number of lines. */
export const requiredLines = (sentence: string, max: number) => cleanString(max, sentence).min(1, sentence)

/** Optional text: '' and null both mean "none" and are stored as null. */
export const optionalText = (max = 255) =>
  textField(max)
    .transform((value) => (value === '' ? null : value))
    .nullable()

/** A required id, with the message for its absence. */
export const requiredId = (sentence: string) => z.int(sentence).min(1, sentence).max(maxInt, sentence)
export const idField = requiredId('Not an id')

// The API description takes the type of an answer from the pipe: a transform has none.
/** 0 or 1 on the wire; true and false are accepted too. */
export const flagField = z
  .union([z.literal([0, 1]), z.boolean().transform((on): 0 | 1 => (on ? 1 : 0))], 'Must be 0 or 1')
  .pipe(z.literal([0, 1]))
/** true or false on the wire; 0 and 1 are accepted too. */
export const booleanField = z
  .union([z.boolean(), z.literal([0, 1]).transform((on) => on === 1)], 'Must be true or false')
  .pipe(z.boolean())

const toCents = (value: number) => Number(value.toFixed(2))
const hasTwoDecimals = (value: number) => Math.abs(value - toCents(value)) < 1e-8
/** US dollars with at most two decimals, within `numeric(12,2)`, rounded as they are stored: 0.07 * 100 is a little more than 7. */
export const moneyField = z
  .number('Input a number')
  .min(0, 'Must not be negative')
  .max(9_999_999_999.99, 'Too large')
  .refine(hasTwoDecimals, 'At most two decimals')
  .overwrite(toCents)

/** An existing calendar day, yyyy-MM-dd. */
export const dateField = (sentence = 'Not a date (yyyy-MM-dd)') =>
  z
    .string(sentence)
    .regex(/^(19|20)\d\d-\d\d-\d\d$/, sentence)
    .refine(isCalendarDay, sentence)
/** A time of day, HH:mm. */
export const timeField = (sentence = 'Not a time (HH:mm)') =>
  z.string(sentence).regex(/^([01]\d|2[0-3]):[0-5]\d$/, sentence)
export const colorField = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Not a color (#rrggbb)')
  .transform((value) => value.toLowerCase())
/** `Mary <mary@sue.example>` is an address; two addresses are none, because one of them would be lost. */
const toOneAddress = (value: string) => readEmail(value).only ?? value.trim()
export const emailField = z.string(emailMessage).overwrite(toOneAddress).pipe(addressSchema)
/** The email of an account. */
export const requiredEmailField = requiredText('Please enter email', 254).pipe(emailField)
/** A password: not trimmed, and limited in length so that hashing stays fast. */
export const passwordField = (sentence: string) =>
  z
    .string(sentence)
    .min(1, { error: sentence, abort: true })
    .min(8, 'The password must be at least 8 character')
    .max(128, 'The password must be at most 128 characters')
/** Of an account that has one: an empty password keeps the old one. */
export const toNewPassword = <Field extends z.ZodType>(field: Field) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), field.optional())

// ——— query values ———

/** A whole number in a query, within bounds. Blank is refused, even with `.optional()`: filters turn it into undefined first. */
export const queryInt = (min = 1, max = maxInt) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : blankToUndefined(value)),
    z.int('Must be a whole number').min(min, `Must be at least ${min}`).max(max, `Must be at most ${max}`),
  )
/** Free text in a query; blank means "not filtered". */
export const querySearch = (max = 500) => z.preprocess(blankToUndefined, textField(max).optional())
/** One of these values; blank means "all". In JSON, where a body takes the same filters, a number is its text. */
export const queryOneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess(
    (value) => (typeof value === 'number' ? String(value) : blankToUndefined(value)),
    z.enum(values).optional(),
  )
/** A checkbox: 1 or absent. */
export const queryCheckbox = z.preprocess(
  (value) =>
    value === '1' || value === 'true' || value === true
      ? 1
      : value === '' || value === '0' || value === 0 || value === false
        ? undefined
        : value,
  z.literal(1, 'Must be 1').optional(),
)
export const queryId = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : blankToUndefined(value)),
  idField.optional(),
)
export const queryDate = z.preprocess(blankToUndefined, dateField().optional())

/** Splits several values of one key: `3,9`, repeated keys and `key[]` are all accepted. */
const splitQueryList = (value: unknown) =>
  typeof value === 'string'
    ? value.split(',').filter((part) => part !== '')
    : Array.isArray(value)
      ? value.flatMap((part) => (typeof part === 'string' ? part.split(',').filter((word) => word !== '') : [part]))
      : value
export const queryIds = z.preprocess((value) => {
  const list = splitQueryList(value)
  return Array.isArray(list)
    ? list.map((part) => (typeof part === 'string' && /^\d{1,15}$/.test(part) ? Number(part) : part))
    : list
}, z.array(idField).max(1000, 'At most 1000 ids').optional())
export const queryAnyOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess(splitQueryList, z.array(z.enum(values)).optional())
export const queryListOf = <T extends z.ZodType>(one: T) =>
  z.preprocess(splitQueryList, z.array(one).max(1000, 'At most 1000 of them').optional())
