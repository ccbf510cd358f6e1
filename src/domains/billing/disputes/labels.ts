export const decidedDisputeStates = ['accepted', 'refused'] as const
export type DecidedDisputeState = (typeof decidedDisputeStates)[number]
/** `settled`: no one decided it before the lead went to another client. */
export const disputeStates = ['open', ...decidedDisputeStates, 'settled'] as const
export type DisputeState = (typeof disputeStates)[number]
export const disputeStateTitles: Record<DisputeState, string> = {
  open: 'Open',
  accepted: 'Accepted',
  refused: 'Refused',
  settled: 'Settled',
}

/** How the client disputed the lead. */
export const disputeChannels = ['mail', 'page', 'portal'] as const
export type DisputeChannel = (typeof disputeChannels)[number]
export const disputeChannelTitles: Record<DisputeChannel, string> = {
  mail: 'Link in an email',
  page: 'Rating page',
  portal: 'Their own account',
}
