export const termsKinds = ['flat', 'per_lead', 'flat_plus'] as const
export type TermsKind = (typeof termsKinds)[number]
export const termsKindTitles: Record<TermsKind, string> = {
  flat: 'Flat fee',
  per_lead: 'Per lead',
  flat_plus: 'Fee with included leads',
}

/** How long a client may dispute a lead where the terms do not say. */
export const defaultDisputeDays = 30
