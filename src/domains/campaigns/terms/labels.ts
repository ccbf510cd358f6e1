export const termsKinds = ['flat', 'per_lead', 'flat_plus'] as const
export type TermsKind = (typeof termsKinds)[number]
export const termsKindTitles: Record<TermsKind, string> = {
  flat: 'Flat fee',
  per_lead: 'Per lead',
  flat_plus: 'Fee with included leads',
}

/** Days in which a client may dispute a lead, unless the terms say otherwise. */
export const defaultDisputeDays = 30
