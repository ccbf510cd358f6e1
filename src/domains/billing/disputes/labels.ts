export const decidedDisputeStates = ['accepted', 'refused'] as const
export type DecidedDisputeState = (typeof decidedDisputeStates)[number]
/** `settled`: no one decided it before the lead went to another client. */
export const disputeStates = ['open', ...decidedDisputeStates, 'settled'] as const
export type DisputeState = (typeof disputeStates)[number]
export const disputeStateTitles: Record<DisputeState, string> = {
  open: 'Open',
  accepted: 'Accepted',
  refused: 'Rejected',
  settled: 'Settled',
}

/** How the client disputed the lead. */
export const disputeChannels = ['mail', 'page', 'portal'] as const
export type DisputeChannel = (typeof disputeChannels)[number]
export const disputeChannelTitles: Record<DisputeChannel, string> = {
  mail: 'Link in an email',
  page: 'Rating page',
  portal: 'Client’s account',
}

/** Why the client says that this is not a lead. */
export const disputeReasons = [
  'duplicate',
  'wrong_area',
  'wrong_service',
  'wants_a_job',
  'sales_call',
  'spam',
  'not_my_company',
  'other',
] as const
export type DisputeReason = (typeof disputeReasons)[number]
export const disputeReasonTitles: Record<DisputeReason, string> = {
  duplicate: 'We already had this lead',
  wrong_area: 'Outside our area',
  wrong_service: 'Not a service we offer',
  wants_a_job: 'Looking for a job',
  sales_call: 'A sales call',
  spam: 'Spam',
  not_my_company: 'Meant for another company',
  other: 'Something else',
}
