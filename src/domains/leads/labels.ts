/** The words of a lead: what the wire, the filters and the cells all spell alike. */

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
/** Either of them makes a call a missed one. */
export const missedCallTags: readonly LeadTag[] = ['Missed Call', 'Auto Missed Call']
/** What makes a lead spam: set by hand, or by a spammer or a keyword as it came in. */
export const spamTags: readonly LeadTag[] = ['Spam', 'Autospam', 'BLSpam']

/** Whether a lead is tagged as spam, as far as its reader reads tags. */
export const hasSpamTag = ({ tags }: { tags?: readonly { name: LeadTag }[] | undefined }): boolean =>
  tags?.some(({ name }) => name === 'Spam') ?? false

/** Where leads live that have no campaign: no campaign has this id. On the wire it is null. */
export const noCampaignId = 0

/** The sales progress a client reports. Value 2 reads 'Progress' in the leads filter, 'In Progress' everywhere else. */
export const progressLabels = { 1: 'Won', 2: 'In Progress', 3: 'Lost', 4: 'Passed', 5: 'Not Lead' } as const
export type LeadProgress = keyof typeof progressLabels
export const wonProgress = 1
export const notLeadProgress = 5

/** How a rating came: by a mail's link, on the rating page, or from a person who is signed in. */
export const ratingOrigins = ['link', 'page', 'staff'] as const
/** What the list can be filtered by: the first three show how a rating came, the last finds unconfirmed ratings of links. */
export const ratingFilters = [...ratingOrigins, 'unconfirmed'] as const
export const ratingFilterLabels = {
  link: 'Rated by a star in a mail',
  page: 'Rated on the rating page',
  staff: 'Rated by staff',
  unconfirmed: 'By a mail, not confirmed',
} as const

/** The client is mailed a new lead, and by hand a missed call. What becomes of a mail: see the outbox. */
export const mailKinds = ['notification', 'missed_call_warning'] as const
export const mailStates = ['queued', 'handing', 'sent', 'uncertain', 'refused', 'cancelled'] as const
export const mailKindTitles = { notification: 'Notification', missed_call_warning: 'Warning' } as const
/** What staff are told of a mail. Perhaps an uncertain one arrived; nobody but them may decide to send it again. */
export const mailStateTitles = {
  queued: 'waiting to be sent',
  handing: 'being sent',
  sent: 'sent',
  uncertain: 'perhaps sent',
  refused: 'refused',
  cancelled: 'cancelled',
} as const

/** How a comparison with CallRail's list ended; `busy`: CallRail asked us to come back later. */
export const reconciliationOutcomes = ['done', 'busy', 'failed'] as const

/** What is said where the client site of a new lead is missing. */
export const clientSiteRequired = 'Please select client site'
