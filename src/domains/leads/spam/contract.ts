import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { emailField, idField, textField, versionField } from '#contract/fields.ts'
import { foldText } from '#contract/fold-text.ts'
import { instantField } from '#contract/instants.ts'
import { isWithheldPhone } from '#contract/read-phone.ts'
import { batchActionRules, batchSchema, ruleUndoFormSchema } from '../batch/contract.ts'
import { leadSchema } from '../contract.ts'
import { canManageSpam } from './allow.ts'

// ——— the blacklist ———

const maxKeywordsBytes = 100_000
const keywordsTooLong = 'At most 100 kB of keywords'

const blacklistSchema = z.object({ keywords: z.array(z.object({ keyword: z.string() })), version: z.int() })

const keywordsField = textField(maxKeywordsBytes).refine(
  (value) => new TextEncoder().encode(value).length <= maxKeywordsBytes,
  keywordsTooLong,
)
/** The whole text, one keyword per line. `version` is the one the editor saw; without it the last writer wins. */
const blacklistFormSchema = z.object({
  keywords: keywordsField,
  version: versionField,
  /** Saves new keywords even if they hit a lot. */
  confirmed: z.boolean().nullish(),
})

/** Parses one keyword per line: trims, removes control characters, and drops blank lines and repeats. */
export function parseKeywords(lines: string): string[] {
  const seen = new Map<string, string>()
  for (const line of lines.split(/\r\n|\r|\n/)) {
    const keyword = line.replace(/\p{Cc}+/gu, ' ').trim()
    if (keyword !== '' && !seen.has(foldKeyword(keyword))) seen.set(foldKeyword(keyword), keyword)
  }
  return [...seen.values()]
}

/** Lines with the same result are one keyword. */
export const foldKeyword = (keyword: string) => foldText(keyword)

// ——— spammers ———

const spammerSchema = z.object({
  id: idField,
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
})
export type Spammer = z.infer<typeof spammerSchema>

const blankToNull = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value)
const withheldSpammer = 'This is how withheld numbers are written: the rule would hit many callers'
export const phoneOrEmailRequired = 'Either Phone or Email is required'

export const spammerFormSchema = z
  .object({
    name: z
      .string('Please input name')
      .trim()
      .min(1, { error: 'Please input name', abort: true })
      .min(2, 'Length should be at least 2 characters')
      .pipe(textField(100)),
    phone: z.preprocess(
      blankToNull,
      z
        .string()
        .trim()
        .regex(/^\+\d \d{3}-\d{3}-\d{4}$/, 'Wrong phone format')
        .refine((phone) => !isWithheldPhone(phone), withheldSpammer)
        .nullable()
        .default(null),
    ),
    email: z.preprocess(blankToNull, emailField.nullable().default(null)),
  })
  .refine((form) => form.phone !== null || form.email !== null, { error: phoneOrEmailRequired, path: ['phone'] })

/** A spammer's phone and email; one of them is enough. */
const spammerContactSchema = z
  .object({
    phone: z.preprocess(blankToNull, textField(50).nullable().default(null)),
    email: z.preprocess(blankToNull, textField().nullable().default(null)),
  })
  .refine(({ phone, email }) => phone !== null || email !== null, { error: phoneOrEmailRequired, path: ['phone'] })

// ——— rules: keywords and spammers ———

const ruleFields = {
  /** Keywords and spammers share one sequence. */
  id: idField,
  created_by: z.string().nullable(),
  created_at: instantField.nullable(),
  /** The incoming leads that it hit in the last 12 months. */
  hits: z.int().min(0),
  last_hit_at: instantField.nullable(),
  /** Those of them that were since verified, unhidden, rated 4 or 5, or that called again and were answered. */
  wrong: z.int().min(0),
}
const spamRuleSchema = z.union([
  z.object({ ...ruleFields, keyword: z.string() }),
  z.object({ ...ruleFields, spammer: z.string() }),
])
export type SpamRule = z.infer<typeof spamRuleSchema>

/** A word that may be a useful keyword. */
const keywordSuggestionSchema = z.object({
  keyword: z.string(),
  /** How many leads tagged Spam by hand have it, and how many of the other leads that were read. */
  spam: z.int().min(1),
  others: z.int().min(0),
  /** How distinctive it is: the log-odds against the others, in standard deviations. */
  score: z.number(),
  /** The leads that it would have hit according to a rehearsal; none of them is verified. */
  hits: z.int().min(1),
})
export type KeywordSuggestion = z.infer<typeof keywordSuggestionSchema>

/** The leads that rules would have hit in the last 12 months, among those the caller sees, hidden and archived ones included. */
const rehearsalSchema = z.object({
  hits: z.int().min(0),
  of: z.int().min(0),
  verified: z.int().min(0),
  won: z.int().min(0),
  value: z.number(),
  campaigns: z.array(z.object({ id: idField.nullable(), name: z.string().nullable(), hits: z.int().min(1) })),
  /** The newest 20. */
  leads: z.array(leadSchema),
})
export type RuleRehearsal = z.infer<typeof rehearsalSchema>

export const leadSpamContract = {
  mark: endpoint('POST /lead/:id/spam', {
    allow: adminsWithPages('leads', 'archivedleads'),
    changes: ['lead'],
    row: 'lead',
    description:
      'Tags the lead Spam, hides it, and cancels its unsent emails. With `spammer`, its phone and email are added to the spammers, by those who may add spammers.',
    body: z.object({ spammer: z.boolean().default(false) }),
    response: leadSchema,
    success: 'Lead was marked as spam',
  }),
  unmark: endpoint('DELETE /lead/:id/spam', {
    allow: adminsWithPages('leads', 'archivedleads'),
    changes: ['lead'],
    row: 'lead',
    description: 'Undoes exactly what marking it as spam did. A canceled email is queued again.',
    response: leadSchema,
    success: 'Lead is no longer marked as spam',
  }),
}

export const spamContract = {
  keywords: endpoint('GET /leads/keywords', { allow: canManageSpam, reads: ['lead'], response: blacklistSchema }),
  saveKeywords: endpoint('POST /leads/keywords', {
    allow: canManageSpam,
    changes: ['lead'],
    description:
      'Replaces the blacklist. A version older than the stored one gets 409 with the newer list. New keywords under three letters, or that would have hit over 5% of the leads of the last 12 months, get 422 unless `confirmed`.',
    body: blacklistFormSchema,
    response: blacklistSchema,
    conflict: { newer: blacklistSchema },
    success: 'Blacklist was saved successfully',
  }),
  rehearseKeywords: endpoint('POST /leads/keywords/rehearse', {
    allow: canManageSpam,
    reads: ['lead'],
    description: 'The leads that these keywords, one per line, would have hit in the last 12 months.',
    body: z.object({ keywords: keywordsField }),
    response: rehearsalSchema,
  }),
  spammers: endpoint('GET /leads/spammers', {
    allow: canManageSpam,
    reads: ['lead', 'spammer'],
    row: 'spammer',
    response: z.array(spammerSchema),
  }),
  addSpammer: endpoint('POST /leads/spammers', {
    allow: canManageSpam,
    changes: ['lead', 'spammer'],
    row: 'spammer',
    body: spammerFormSchema,
    response: spammerSchema,
    success: 'Spammer was added successfully',
  }),
  rehearseSpammer: endpoint('POST /leads/spammers/rehearse', {
    allow: canManageSpam,
    reads: ['lead'],
    description: 'The leads that a spammer with this phone or email would have hit in the last 12 months.',
    body: spammerContactSchema,
    response: rehearsalSchema,
  }),
  rules: endpoint('GET /leads/rules', {
    allow: canManageSpam,
    reads: ['lead'],
    description: 'Keywords and spammers, with who added them and what they hit.',
    response: z.array(spamRuleSchema),
  }),
  suggestKeywords: endpoint('GET /leads/keywords/suggestions', {
    allow: canManageSpam,
    reads: ['lead'],
    description:
      'Words that distinguish leads tagged Spam by hand from others in the last 12 months, the most distinctive first. Words that are a keyword already, or would hit a verified lead, are left out.',
    response: z.array(keywordSuggestionSchema),
  }),
  undoRule: endpoint('POST /leads/rules/:id/undo', {
    allow: batchActionRules.undo_rule,
    changes: ['lead'],
    description:
      'Unhides and untags the leads of these days that only this rule tagged, as a batch that can be undone (`leads/batch/{id}/undo`). Leads that another rule hits as well stay, and so do tags that people set. With `mail`, the clients get the emails that the leads would have caused.',
    body: ruleUndoFormSchema,
    response: batchSchema,
  }),
  removeSpammer: endpoint('DELETE /leads/spammers/:id', {
    allow: canManageSpam,
    changes: ['lead', 'spammer'],
    row: 'spammer',
    confirm: 'Are you sure to remove this item?',
    success: 'Spammer was removed successfully',
  }),
}
