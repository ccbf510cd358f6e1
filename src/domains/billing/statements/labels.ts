/** `ended`: to be sent. `opened`: a person outside the agency has read it. */
export const statementStates = ['open', 'ended', 'sent', 'opened', 'paid'] as const
export type StatementState = (typeof statementStates)[number]
export const statementStateTitles: Record<StatementState, string> = {
  open: 'Open',
  ended: 'To send',
  sent: 'Sent',
  opened: 'Opened',
  paid: 'Paid',
}

const statementStateBadges = {
  open: 'info',
  ended: 'warn',
  sent: 'neutral',
  opened: 'neutral',
  paid: 'ok',
} as const satisfies Record<StatementState, string>

type BilledState = { state: StatementState; lines: readonly unknown[] }
/** An ended cycle without lines is never sent. */
export const isToSend = ({ state, lines }: BilledState): boolean => state === 'ended' && lines.length > 0
/** Returns the color and the words of a statement's state. */
export const getStatementBadge = (one: BilledState) =>
  one.state === 'ended' && !isToSend(one)
    ? (['neutral', 'Nothing to bill'] as const)
    : ([statementStateBadges[one.state], statementStateTitles[one.state]] as const)

/** The views of the screen, each with its states. */
export const statementViews = {
  to_send: ['ended'],
  sent: ['sent', 'opened', 'paid'],
  unpaid: ['sent', 'opened'],
} as const satisfies Record<string, readonly StatementState[]>
export type StatementView = keyof typeof statementViews

export const lineKinds = ['fee', 'lead', 'not_billed', 'credit', 'adjustment'] as const
export type LineKind = (typeof lineKinds)[number]
export const lineKindTitles: Record<LineKind, string> = {
  fee: 'Fee',
  lead: 'Lead',
  not_billed: 'Not billed',
  credit: 'Credit',
  adjustment: 'Adjustment',
}

/** The groups of lines on the document, in its order. */
export const groupKinds = ['fee', 'calls', 'forms', 'not_billed', 'corrections'] as const
export type GroupKind = (typeof groupKinds)[number]
export const groupTitles: Record<GroupKind, string> = {
  fee: 'Fee',
  calls: 'Calls',
  forms: 'Forms',
  not_billed: 'Not billed',
  corrections: 'Corrections',
}

/** The status of a lead on a statement. `gone`: no longer among the cycle's verified leads. `archived`: only on statements up to 0.1. */
export const leadStandings = ['billed', 'included', 'over_cap', 'archived', 'hidden', 'disputed', 'gone'] as const
export type LeadStanding = (typeof leadStandings)[number]

export const statementMessages = {
  notFound: 'This statement is not available',
  sentAlready: 'This statement was sent already',
  noLink: 'The link of this statement is closed: make a new one first',
  removedClient: 'This client was removed, so the link is closed',
}
