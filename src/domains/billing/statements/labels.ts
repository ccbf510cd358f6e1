export const statementStates = ['open', 'sent'] as const
type StatementState = (typeof statementStates)[number]
export const statementStateTitles: Record<StatementState, string> = { open: 'Open', sent: 'Sent' }

export const lineKinds = ['fee', 'lead', 'not_billed', 'credit', 'adjustment'] as const
export type LineKind = (typeof lineKinds)[number]
export const lineKindTitles: Record<LineKind, string> = {
  fee: 'Fee',
  lead: 'Lead',
  not_billed: 'Not billed',
  credit: 'Credit',
  adjustment: 'Adjustment',
}

/** The status of a lead on a statement. `gone`: no longer among the cycle's verified leads. `archived`: only on statements up to 0.1. */
export const leadStandings = ['billed', 'included', 'over_cap', 'archived', 'hidden', 'disputed', 'gone'] as const
export type LeadStanding = (typeof leadStandings)[number]
