import { z } from 'zod'
import { adminOnly, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { emailField, idField, textField } from '#contract/fields.ts'

/** Global: a keyword or a spammer marks the leads of every campaign. */
const canManageSpam = both(adminOnly, may('leads', 'leadsRelated'))

// ——— the blacklist ———

const maxKeywordsBytes = 100_000
const keywordsTooLong = 'At most 100 kB of keywords'

export const blacklistSchema = z.object({ keywords: z.array(z.object({ keyword: z.string() })), version: z.int() })
export type SpamBlacklist = z.infer<typeof blacklistSchema>

/** The whole text, a keyword a line. `version` is the one the editor saw; without it the last writer wins. */
export const blacklistFormSchema = z.object({
  keywords: textField(maxKeywordsBytes).refine(
    (value) => new TextEncoder().encode(value).length <= maxKeywordsBytes,
    keywordsTooLong,
  ),
  version: z.int().min(1).optional(),
})

/** A keyword a line: trimmed, blank lines and repeats (in any case) dropped, in the order given. */
export function parseKeywords(lines: string): string[] {
  const seen = new Map<string, string>()
  for (const line of lines.split(/\r\n|\r|\n/)) {
    const keyword = line.trim()
    if (keyword !== '' && !seen.has(keyword.toLowerCase())) seen.set(keyword.toLowerCase(), keyword)
  }
  return [...seen.values()]
}

// ——— spammers ———

export const spammerSchema = z.object({
  id: idField,
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
})
export type Spammer = z.infer<typeof spammerSchema>

const blankToNull = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value)
export const phoneOrEmailRequired = 'Either Phone or Email is required'

export const spammerFormSchema = z
  .object({
    name: z
      .string('Please input name')
      .trim()
      .min(1, 'Please input name')
      .min(2, 'Length should be at least 2 characters')
      .max(100, 'At most 100 characters'),
    phone: z.preprocess(
      blankToNull,
      z
        .string()
        .trim()
        .regex(/^\+\d \d{3}-\d{3}-\d{4}$/, 'Wrong phone format')
        .nullable()
        .default(null),
    ),
    email: z.preprocess(blankToNull, emailField().nullable().default(null)),
  })
  .refine((form) => form.phone !== null || form.email !== null, { error: phoneOrEmailRequired, path: ['phone'] })

export const spamContract = {
  keywords: endpoint('GET /leads/keywords', { allow: canManageSpam, response: blacklistSchema }),
  saveKeywords: endpoint('POST /leads/keywords', {
    allow: canManageSpam,
    description: 'Replaces the blacklist. A version older than the stored one answers 409 with the newer list.',
    body: blacklistFormSchema,
    response: blacklistSchema,
    conflict: { newer: blacklistSchema },
    success: 'Blacklist was saved successfully',
  }),
  spammers: endpoint('GET /leads/spammers', { allow: canManageSpam, response: z.array(spammerSchema) }),
  addSpammer: endpoint('POST /leads/spammers', {
    allow: canManageSpam,
    body: spammerFormSchema,
    response: spammerSchema,
    success: 'Spammer was added successfully',
  }),
  removeSpammer: endpoint('DELETE /leads/spammers/:id', {
    allow: canManageSpam,
    confirm: 'Are you sure to remove this item?',
    success: 'Spammer was removed successfully',
  }),
}
