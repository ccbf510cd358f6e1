/** The vocabulary of a lead, shared by the API, the filters and the table cells. */

export const leadTypes = ['Form', 'Call'] as const
export const leadProviders = ['Callrail', 'Formidable', 'Other'] as const
export const answeringStatuses = ['Abandoned', 'Answered', 'Unanswered', 'Missed'] as const
export const trafficSources = [
  'Google Organic',
  'Google Paid',
  'Google Maps',
  'Facebook',
  'Instagram',
  'Google Local Services Ads',
] as const
export const leadTags = [
  'Spam',
  'Duplicate',
  'Other',
  'Missed Call',
  'Voicemail',
  'Voicemail Issues',
  'Connection Issues',
  'Low Value',
  'Autospam',
  'BLSpam',
  'Auto Missed Call',
  'After Hours',
] as const
export type LeadTag = (typeof leadTags)[number]
/** Either tag makes a call a missed call. */
export const missedCallTags: readonly LeadTag[] = ['Missed Call', 'Auto Missed Call']
/** Tags that say how a call ended, and nothing about the lead: it still waits for a verdict. */
export const reviewableTags: readonly LeadTag[] = ['Voicemail', 'After Hours']
/** The tags that make a lead spam: set by hand, or on arrival by a spammer entry or a keyword. */
export const spamTags: readonly LeadTag[] = ['Spam', 'Autospam', 'BLSpam']
export const isSpamTag = (tag: LeadTag): boolean => spamTags.includes(tag)

/** Returns whether a lead is tagged `Spam`. Always false for a reader who may not read tags. */
export const hasSpamTag = ({ tags }: { tags?: readonly { name: LeadTag }[] | undefined }): boolean =>
  tags?.some(({ name }) => name === 'Spam') ?? false

/** The `campaign_id` of leads without a campaign; no campaign has this id. In the API it is null. */
export const noCampaignId = 0

/** The sales progress a client reports. Value 2 is 'Progress' in the leads filter, 'In Progress' everywhere else. */
export const progressLabels = { 1: 'Won', 2: 'In Progress', 3: 'Lost', 4: 'Passed', 5: 'Not Lead' } as const
export type LeadProgress = keyof typeof progressLabels
export const progressSteps = Object.entries(progressLabels).map(([value, label]) => ({ value: Number(value), label }))
export const wonProgress = 1
export const notLeadProgress = 5

/** Where a rating came from: an email's link, the rating page, or a signed-in user. */
export const ratingOrigins = ['link', 'page', 'staff'] as const
/** The list's rating filters: the origins, and ratings from links that are not confirmed yet. */
export const ratingFilters = [...ratingOrigins, 'unconfirmed'] as const
export const ratingFilterLabels = {
  link: 'Rated by a star in an email',
  page: 'Rated on the rating page',
  staff: 'Rated by a signed-in user',
  unconfirmed: 'By email, not confirmed',
} as const

/** A notification of a new lead is sent automatically, a missed call warning by hand. */
export const mailKinds = ['notification', 'missed_call_warning'] as const
/** The states of an email, and what the database and the API call them. */
export const mailState = {
  queued: 'queued',
  sending: 'handing',
  sent: 'sent',
  unknown: 'uncertain',
  failed: 'refused',
  cancelled: 'cancelled',
} as const
export type MailState = (typeof mailState)[keyof typeof mailState]
export const mailStates = Object.values(mailState) as [MailState, ...MailState[]] // there are six
export const mailKindTitles = { notification: 'Notification', missed_call_warning: 'Warning' } as const
/** What staff see of an email. An unknown one may have arrived, so only staff may decide to send it again. */
export const mailStateTitles = {
  [mailState.queued]: 'waiting to be sent',
  [mailState.sending]: 'being sent',
  [mailState.sent]: 'sent',
  [mailState.unknown]: 'perhaps sent',
  [mailState.failed]: 'refused',
  [mailState.cancelled]: 'canceled',
} as const
/** Emails in these states need no repetition. */
export const arrivingMailStates: readonly MailState[] = [mailState.queued, mailState.sending, mailState.sent]
/** Emails in these states did not arrive, or may not have: people may send them again. */
export const repeatableMailStates: readonly MailState[] = [mailState.failed, mailState.unknown]
/** Why a mail was not sent although no mail server refused it. Staff may still send it again. */
export const unsentMailReasons = {
  hidden: 'The lead was hidden before the email was sent',
  otherClient: 'The lead went to another client before the email was sent',
  removedClient: 'The client was removed before the email was sent',
  switchedOff: 'The client was switched off before the email was sent',
  disabled: 'Notifications were switched off for the client before the email was sent',
} as const

/** The reading of an account's history: `waiting` for CallRail, which asked for fewer requests or cannot be read now. */
export const historyStates = ['reading', 'waiting', 'stopped', 'done'] as const

/** How a look at CallRail's lists ended; `busy`: CallRail asked us to retry later. */
export const reconciliationOutcomes = ['done', 'busy', 'failed'] as const

export const clientSiteRequired = 'Please select client site'
