import { adminsWithPages } from '#contract/allow.ts'

/** Spam rules are global: a keyword or a spammer applies to the leads of every campaign. */
export const canManageSpam = adminsWithPages('leads', 'leadsRelated')
