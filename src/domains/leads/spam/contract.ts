import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { email, id, text } from '#contract/fields.ts'

/** Global: a keyword or a spammer marks the leads of every campaign. */
const keeps = both(admin, may('leads', 'leadsRelated'))

// ——— the blacklist ———

const maxKeywordsBytes = 100_000
const tooLong = 'At most 100 kB of keywords'

export const blacklist = z.object({ keywords: z.array(z.object({ keyword: z.string() })), version: z.int() })
export type Blacklist = z.infer<typeof blacklist>

/** The whole text, a keyword a line. `version` is the one the editor saw; without it the last writer wins. */
export const blacklistForm = z.object({
  keywords: text(maxKeywordsBytes).refine(
    (value) => new TextEncoder().encode(value).length <= maxKeywordsBytes,
    tooLong,
  ),
  version: z.int().min(1).optional(),
})

/** A keyword a line: trimmed, blank lines and repeats (in any case) dropped, in the order given. */
export function keywordsOf(lines: string): string[] {
  const seen = new Map<string, string>()
  for (const line of lines.split(/\r\n|\r|\n/)) {
    const keyword = line.trim()
    if (keyword !== '' && !seen.has(keyword.toLowerCase())) seen.set(keyword.toLowerCase(), keyword)
  }
  return [...seen.values()]
}

// ——— spammers ———

export const spammer = z.object({ id, name: z.string(), phone: z.string().nullable(), email: z.string().nullable() })
export type Spammer = z.infer<typeof spammer>

const noneIfBlank = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value)
export const eitherIsRequired = 'Either Phone or Email is required'

export const spammerForm = z
  .object({
    name: z
      .string('Please input name')
      .trim()
      .min(1, 'Please input name')
      .min(2, 'Length should be at least 2 characters')
      .max(100, 'At most 100 characters'),
    phone: z.preprocess(
      noneIfBlank,
      z
        .string()
        .trim()
        .regex(/^\+\d \d{3}-\d{3}-\d{4}$/, 'Wrong phone format')
        .nullable()
        .default(null),
    ),
    email: z.preprocess(noneIfBlank, email().nullable().default(null)),
  })
  .refine((form) => form.phone !== null || form.email !== null, { error: eitherIsRequired, path: ['phone'] })

export const spam = {
  keywords: endpoint('GET /leads/keywords', { allow: keeps, answers: blacklist }),
  saveKeywords: endpoint('POST /leads/keywords', {
    allow: keeps,
    about: 'Replaces the blacklist. A version older than the stored one answers 409 with the newer list.',
    body: blacklistForm,
    answers: blacklist,
    says: 'Blacklist was saved successfully',
  }),
  spammers: endpoint('GET /leads/spammers', { allow: keeps, answers: z.array(spammer) }),
  addSpammer: endpoint('POST /leads/spammers', {
    allow: keeps,
    body: spammerForm,
    answers: spammer,
    says: 'Spammer was added successfully',
  }),
  removeSpammer: endpoint('DELETE /leads/spammers/:id', {
    allow: keeps,
    asks: 'Are you sure to remove this item?',
    says: 'Spammer was removed successfully',
  }),
}
