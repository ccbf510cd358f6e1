import { z } from 'zod'

/**
 * The values that travel. Each is both what a form checks and what the server parses; sentences are given where the
 * field is declared. Query values arrive as text, so the `query*` fields take text or the value itself.
 */

const maxInt = 2_147_483_647 // PostgreSQL's integer

/** Text that PostgreSQL can store: no NUL, no half of a surrogate pair. */
const storable = (value: string) => !value.includes('\0') && value.isWellFormed()
const unstorable = 'This text holds a character that cannot be stored'

const single = (value: unknown) => (value === '' ? undefined : value)

/** Free text, trimmed, at most `max` characters. */
export const text = (max = 255) => z.string().trim().max(max, `At most ${max} characters`).refine(storable, unstorable)

/** Text that must be there: missing, null and blank are all answered with the field's own sentence. */
export const required = (sentence: string, max = 255) =>
  z.string(sentence).trim().min(1, sentence).max(max, `At most ${max} characters`).refine(storable, unstorable)

/** Free text that may be absent: '' and null both mean "none" and are stored as null. */
export const optionalText = (max = 255) =>
  text(max)
    .transform((value) => (value === '' ? null : value))
    .nullable()

/** An id that a form asks for, with the sentence for its absence. */
export const idOr = (sentence: string) => z.int(sentence).min(1, sentence).max(maxInt, sentence)
export const id = idOr('Not an id')

/** 0 or 1 on the wire; true and false are taken too. */
export const flag = z.union([z.literal([0, 1]), z.boolean().transform((on): 0 | 1 => (on ? 1 : 0))], 'Must be 0 or 1')
/** true or false on the wire; 0 and 1 are taken too. */
export const yesNo = z.union([z.boolean(), z.literal([0, 1]).transform((on) => on === 1)], 'Must be true or false')

const hasCents = (value: number) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6
/** US dollars, at most two decimals; what `numeric(12,2)` holds. */
export const money = z
  .number('Input a number')
  .min(0, 'Must not be negative')
  .max(9_999_999_999.99, 'Too large')
  .refine(hasCents, 'At most two decimals')

const isDate = (value: string) => {
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}
/** A calendar day, yyyy-MM-dd, that exists. */
export const date = (sentence = 'Not a date (yyyy-MM-dd)') =>
  z
    .string(sentence)
    .regex(/^(19|20)\d\d-\d\d-\d\d$/, sentence)
    .refine(isDate, sentence)
/** A time of day, HH:mm. */
export const time = (sentence = 'Not a time (HH:mm)') => z.string(sentence).regex(/^([01]\d|2[0-3]):[0-5]\d$/, sentence)
export const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Not a colour (#rrggbb)')
  .transform((value) => value.toLowerCase())
export const email = (sentence = 'Email is not valid') =>
  z.string(sentence).trim().max(254, sentence).pipe(z.email(sentence)).refine(storable, unstorable)
/** Passwords are bounded so that hashing one cannot be made slow. Not trimmed. */
export const password = (sentence: string) =>
  z
    .string(sentence)
    .min(1, { error: sentence, abort: true })
    .min(8, 'The password must be at least 8 character')
    .max(128, 'The password must be at most 128 characters')
/** A link that a browser may follow. */
export const httpUrl = (sentence: string) =>
  required(sentence, 2048).refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    'Not a web address',
  )

const withScheme = (value: string) => (/^[a-z][a-z0-9+.-]*:(?!\d+($|\/))/i.test(value) ? value : `https://${value}`)
const isSite = (value: string) => {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, hostname } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === '' && hostname.length <= 253
}
/** The address of a web site. Without a scheme it is taken for https; a name in other letters is kept as it is asked for. */
export const siteAddress = (sentence: string) =>
  required(sentence, 2048)
    .transform(withScheme)
    .refine(isSite, 'Not a web address')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is meant.
    .transform((value) => (/^[\x00-\x7f]*$/.test(value) ? value : new URL(value).href))
/** The name of a host without `www.`, out of a name or an address; blank means "not filtered". */
export const queryHost = z.preprocess(
  single,
  text(2048)
    .transform((value) => hostOf(value))
    .optional(),
)
/** Whose site an address or a name is: `https://www.shop.example/x` is shop.example. What is no name stays as it is. */
export function hostOf(value: string): string {
  const address = withScheme(value)
  return (URL.canParse(address) ? new URL(address).hostname : value.toLowerCase()).replace(/^www\./, '')
}

// ——— query values ———

/** A whole number in a query, within bounds. */
export const queryInt = (min = 1, max = maxInt) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : single(value)),
    z.int('Must be a whole number').min(min, `Must be at least ${min}`).max(max, `Must be at most ${max}`),
  )
/** Free text in a query; blank means "not filtered". */
export const querySearch = (max = 500) => z.preprocess(single, text(max).optional())
/** One of these values; blank means "all". */
export const queryOneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess(single, z.enum(values).optional())
/** A checkbox: 1, or not there. */
export const queryCheck = z.preprocess(
  (value) =>
    value === '1' || value === 'true' || value === true
      ? 1
      : value === '' || value === '0' || value === 0 || value === false
        ? undefined
        : value,
  z.literal(1, 'Must be 1').optional(),
)
export const queryId = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : single(value)),
  id.optional(),
)
export const queryDate = z.preprocess(single, date().optional())

/** Many values of one key: `3,9`, repeated keys and `key[]` are all taken. */
const many = (value: unknown) =>
  typeof value === 'string'
    ? value.split(',').filter((part) => part !== '')
    : Array.isArray(value)
      ? value.flatMap((part) => (typeof part === 'string' ? part.split(',').filter((word) => word !== '') : [part]))
      : value
export const queryIds = z.preprocess((value) => {
  const list = many(value)
  return Array.isArray(list)
    ? list.map((part) => (typeof part === 'string' && /^\d{1,15}$/.test(part) ? Number(part) : part))
    : list
}, z.array(id).max(1000, 'At most 1000 ids').optional())
export const queryMany = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess(many, z.array(z.enum(values)).optional())
export const queryEach = <T extends z.ZodType>(one: T) =>
  z.preprocess(many, z.array(one).max(1000, 'At most 1000 of them').optional())
