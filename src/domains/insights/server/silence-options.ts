export const silenceOptions = {
  /** Days after which a lead counts half. */
  halfLifeDays: 28,
  profileHalfLifeDays: 90,
  /** Chances come out a fifth too small on synthetic agencies, so this gives about one false alarm per source in 100 months. */
  monthlyBudget: 0.012,
  /** The tail used for calibration: gaps ten times as likely as those that open a signal. */
  tailFactor: 10,
  /** The weight of the prior, in gaps of that tail. */
  tailPrior: 5,
  maxScale: 2.5,
  /** The weight of a category's rate, in leads. */
  priorLeads: 1.5,
  /** The weight of the pooled weekday-and-hour profile against the source's own, in leads. */
  profileLeads: 150,
  /** Expected leads after which the factor follows the day rather than the week. */
  factorLeads: 8,
  /** Days after which a category's recent leads count half, and the weight of "no deviation", in leads. */
  categoryHalfLifeDays: 7,
  categoryLeads: 20,
  quietChance: 2e-5,
  quietShare: 0.6,
  quietMinExpected: 10,
  resumedShare: 0.7,
}
export type SilenceOptions = typeof silenceOptions
