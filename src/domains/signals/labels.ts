/** The problems that signals report, with their labels. */
export const signalKindLabels = {
  source_silent: 'No leads',
  hooks_lost: 'Webhook down',
  all_quiet: 'Almost no leads agency-wide',
  leadline_offline: 'Leadline is offline',
  connection_lost: 'Connection lost',
  site_offline: 'Site offline',
  site_unchecked: 'Site blocks our checks',
  certificate_expiring: 'Certificate expiring',
  domain_expiring: 'Domain expiring',
  listing_suspended: 'Listing suspended',
  listing_changed: 'Listing changed',
  google_relink: 'Reconnect Google',
  redirect_broken: 'Redirect broken',
  link_lost: 'Backlink lost',
  events_quarantined: 'Leads put aside',
  leads_unassigned: 'Leads without a campaign',
  mail_refused: 'Email not delivered',
  statement_refused: 'Statement not delivered',
  report_refused: 'Report not delivered',
  task_overdue: 'Task overdue',
  behind_target: 'Behind target',
  cap_reached: 'Cap reached',
  rule_hides_good_leads: 'Rule hides good leads',
} as const
export type SignalKind = keyof typeof signalKindLabels
export const signalKinds = Object.keys(signalKindLabels) as [SignalKind, ...SignalKind[]] // its keys

export const signalSeverities = ['severe', 'warning', 'note'] as const
export type SignalSeverity = (typeof signalSeverities)[number]
export const signalSeverityLabels: Record<SignalSeverity, string> = {
  severe: 'Urgent',
  warning: 'Soon',
  note: 'FYI',
}

/** The groups of Home and of emails, in the order of urgency. */
export const signalGroupLabels: Record<SignalSeverity, string> = {
  severe: 'Urgent',
  warning: 'Soon',
  note: 'For your information',
}

export const signalSubjectTypes = [
  'client_site',
  'network_site',
  'domain',
  'ip',
  'host',
  'source',
  'listing',
  'connection',
  'google_account',
  'redirect_domain',
  'link',
  'campaign',
  'mail',
  'statement',
  'client',
  'task',
  'agency',
  'rule',
] as const
export type SignalSubjectType = (typeof signalSubjectTypes)[number]

/** `today`: open, or closed since midnight in the agency's time zone. */
export const signalStates = ['open', 'closed', 'today'] as const

/** How long a signal can be muted at most. */
export const maxMuteDays = 90
