import type { ReachedCap, UndeliveredStatement } from '#domains/billing/public.ts'
import type { ConnectionKind } from '#domains/connections/labels.ts'
import type { SilenceNow, SourceGap, TargetChance } from '#domains/insights/public.ts'
import type { MailState } from '#domains/leads/labels.ts'
import type { UndeliveredEmails } from '#domains/messages/public.ts'
import type { signalFindingsTable } from '../schema.ts'

export type OfflineSite = {
  type: 'client_site' | 'network_site'
  id: number
  host: string
  campaign_id: number | null
  ip: string | null
  ip_id: number | null
  since: Date
  /** No check has ever reached it. */
  never_live: 0 | 1
  problem: string | null
  http_status_code: number | null
  /** Leads per month that the site usually brings, and leads since then all the same: calls need no site. */
  leads_per_month: number
  came: number
}
/** A site that was live and has kept checkers out for a day. */
export type UncheckedSite = {
  type: 'client_site' | 'network_site'
  id: number
  host: string
  campaign_id: number | null
  since: Date
  problem: string | null
}
export type CertificateFacts = {
  type: 'client_site' | 'network_site'
  id: number
  host: string
  campaign_id: number | null
  expires_at: Date
}
export type ExpiringDomain = {
  id: number
  domain: string
  /** The active campaigns that have sites on it. */
  campaign_ids: number[]
  /** Whether our network has sites on it. A domain of neither is that of a redirect. */
  in_network: boolean
  /** Null if the registry no longer says. */
  expires_on: string | null
  registrar: string | null
  problem: string | null
}
export type ListingFacts = {
  id: number
  link: string
  title: string
  campaign_id: number
  is_suspended: boolean
  suspended_at: Date | null
  changed: boolean
  changed_at: Date | null
  changed_fields: string[]
  gone_at: Date | null
}
export type LostLink = {
  id: number
  url: string
  page: string
  from: string
  /** The active campaigns that have the site that it led to. */
  campaign_ids: number[]
  lost_at: Date
}
/** A client site through one provider that is silent, or has an open signal for it. */
export type SilentSource = SourceGap & {
  site_id: number
  provider: string
  host: string
  campaign_id: number
  is_offline: boolean
  /** Whether its hooks are known to be lost: CallRail's own list has its calls. */
  hooks_lost: boolean
  /** Calls since its last hook that were found in CallRail's list. */
  brought_in: number
  /** When its signal opened, if it has one. */
  opened_at: Date | null
}
export type RefusedMail = {
  id: number
  campaign_id: number | null
  lead_id: number
  recipients: string[]
  /** Of the last one that is known not to have arrived, or else of the last one. */
  error: string | null
  at: Date
  count: number
  /** The last refused mail: the one to send again, but where some of its recipients have it. */
  last: { id: number; lead_id: number; state: MailState }
  /** How many of the mails the mail server refused, for some of their recipients at least. */
  refused: number
  /** How many no mail server took in time. Whether those that are neither arrived is unknown. */
  expired: number
}

/** A connection that does not work any more; a mail server that is missing while emails wait has the id 0. */
export type LostConnection = {
  id: number
  kind: ConnectionKind
  name: string
  /** The provider's words; null without a connection. */
  says: string | null
  since: Date
  /** Emails that wait for it. */
  waiting: number
}

/** The input of detectors: only problems, so that reading it every minute is cheap. */
export type SignalFacts = {
  timeZone: string
  /** Since when Leadline itself cannot reach the internet. */
  offline_since: Date | null
  sites: OfflineSite[]
  unchecked: UncheckedSite[]
  certificates: CertificateFacts[]
  domains: ExpiringDomain[]
  listings: ListingFacts[]
  accounts: { id: number; email: string; since: Date }[]
  connections: LostConnection[]
  /** The connection of Google in force. */
  google_connection_id: number | null
  redirects: { id: number; domain: string; redirect_url: string }[]
  links: LostLink[]
  quarantined: { count: number; oldest: Date | null; reason: string | null }
  unassigned: { count: number; oldest: Date | null }
  refused: RefusedMail[]
  statements: UndeliveredStatement[]
  /** Scheduled reports, by client with its active campaigns. */
  reports: (UndeliveredEmails & { client: string; campaign_ids: number[] })[]
  tasks: { id: number; campaign_id: number | null; date: string; note: string; assignee: string | null }[]
  sources: SilentSource[]
  /** The campaigns whose usual sources have sent nothing since it opened. */
  quiet: (NonNullable<SilenceNow['quiet']> & { campaign_ids: number[] }) | null
  /** `created_at` is when the campaign was entered here, which may be long after its start. */
  targets: (TargetChance & { name: string; created_at: Date; is_open: boolean })[]
  caps: ReachedCap[]
  rules: (typeof signalFindingsTable.$inferSelect)[]
}
