export const silenceOptions = {
  /** Days after which a lead counts half. */
  halfLifeDays: 28,
  profileHalfLifeDays: 90,
  /** False alarms a source raises in a month. */
  monthlyBudget: 0.01,
  /** The tail that shows whether the chances here are right: gaps ten times as likely as those that open a signal. */
  tailFactor: 10,
  /** Such gaps that count as evidence before any was seen. */
  tailPrior: 5,
  maxScale: 2.5,
  /** How many leads of evidence a category's rate is worth. */
  priorLeads: 1.5,
  /** Leads that the pooled weekday-and-hour profile is worth against the source's own. */
  profileLeads: 150,
  /** Expected leads after which a day's factor follows the day rather than the week. */
  factorLeads: 8,
  /** Days after which a category's recent leads count half, and the leads that no deviation is worth. */
  categoryHalfLifeDays: 7,
  categoryLeads: 20,
  quietChance: 2e-5,
  quietShare: 0.6,
  quietMinExpected: 10,
  resumedShare: 0.7,
}
export type SilenceOptions = typeof silenceOptions
