/** The problems that signals report, with their labels. */
export const signalKindLabels = {
  source_silent: 'Source is silent',
  hooks_lost: 'Webhooks are lost',
  all_quiet: 'Everything is quiet',
  leadline_offline: 'Leadline cannot reach the internet',
  site_offline: 'Site is offline',
  site_unchecked: 'Site keeps checkers out',
  certificate_expiring: 'Certificate expires',
  domain_expiring: 'Domain expires',
  listing_suspended: 'Listing is suspended',
  listing_changed: 'Listing has changed',
  google_relink: 'Google account must be linked again',
  redirect_broken: 'Redirect is broken',
  link_lost: 'Link is lost',
  events_quarantined: 'Events could not be used',
  leads_unassigned: 'Leads without a campaign',
  mail_refused: 'Mail was refused',
  task_overdue: 'Task is overdue',
  behind_target: 'Behind target',
  rule_hides_good_leads: 'Rule hides good leads',
} as const
export type SignalKind = keyof typeof signalKindLabels
export const signalKinds = Object.keys(signalKindLabels) as [SignalKind, ...SignalKind[]] // its keys

export const signalSeverities = ['severe', 'warning', 'note'] as const
export type SignalSeverity = (typeof signalSeverities)[number]
export const signalSeverityLabels: Record<SignalSeverity, string> = {
  severe: 'Severe',
  warning: 'Warning',
  note: 'Note',
}

export const signalSubjectTypes = [
  'client_site',
  'network_site',
  'domain',
  'ip',
  'host',
  'source',
  'listing',
  'google_account',
  'redirect_domain',
  'link',
  'campaign',
  'mail',
  'task',
  'agency',
  'rule',
] as const
export type SignalSubjectType = (typeof signalSubjectTypes)[number]

/** `today`: open, or closed since midnight in the agency's time zone. */
export const signalStates = ['open', 'closed', 'today'] as const

/** How long a signal can be muted at most. */
export const maxMuteDays = 90
