import { adminsWithPages, type PermissionFlag } from '#contract/allow.ts'
import { addDays } from '#contract/days.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { Signal } from '../contract.ts'
import type { SignalKind, SignalSubjectType } from '../labels.ts'
import { readEvidence } from './signal-times.ts'

/** Returns the page of a signal's subject; null where it has none. */
export function findSubjectPage({ subject: { type, id }, evidence }: Signal) {
  if (type === 'source') return { kind: 'client_site', id: Number.parseInt(String(id), 10) } as const // 11/callrail is of site 11
  if (type === 'mail' && typeof evidence.mail_lead_id === 'number')
    return { kind: 'lead', id: evidence.mail_lead_id } as const
  if (type === 'campaign' || type === 'client') return { kind: type, id: Number(id) }
  if (type === 'client_site' || type === 'network_site' || type === 'listing') return { kind: type, id: Number(id) }
  return null
}

type ListSearch = Record<string, string | number>
type ListLink = { page: PermissionFlag; path: string; search: ListSearch }
const listLink = (page: PermissionFlag, path: string, search: ListSearch = {}): ListLink => ({ page, path, search })
const clientSitesLink = (url: string) => listLink('clientSites', '/client-sites', { url })
const networkSitesLink = (url: string) => listLink('networkSites', '/network-sites', { url })
const redirectsLink = (q: string) => listLink('redirectDomains', '/redirect-domains', { q })

/** The lists in which subjects without a page can be changed, each with the right that opens it. */
const subjectLists: Partial<Record<SignalSubjectType, (signal: Signal) => ListLink | null>> = {
  link: ({ subject }) => listLink('outgoingLinks', '/network-sites/outgoing-links', { q: subject.label }),
  redirect_domain: ({ subject }) => redirectsLink(subject.label),
  domain: ({ subject, campaign, evidence: { in_network } }) =>
    campaign
      ? clientSitesLink(subject.label)
      : in_network === false
        ? redirectsLink(subject.label)
        : networkSitesLink(subject.label),
  host: ({ subject, evidence: { in_network } }) =>
    in_network ? networkSitesLink(subject.label) : clientSitesLink(subject.label),
  ip: ({ subject }) => listLink('ipAddresses', '/ips', { ip: subject.label }),
  // Super admins only, who have every page.
  connection: () => listLink('dashboard', '/connections'),
  google_account: () => listLink('googleLocations', '/gmb-manager'),
  agency: ({ kind, evidence: { since } }) =>
    kind === 'leads_unassigned' && typeof since === 'string'
      ? // In any zone the oldest lead came after the start of the day before.
        listLink('leads', '/leads', { date_from: addDays(since.slice(0, 10), -1), no_campaign: 1 })
      : // A super admin's list says there what waits, and what to do about it.
        listLink('leads', '/leads'),
  task: ({ campaign, evidence: { date } }) =>
    campaign && typeof date === 'string'
      ? listLink('changelog', '/campaigns-changelog', { from: date, to: date, campaign_ids: campaign.id })
      : null,
}

/** Returns the list in which a signal's subject can be changed, if this person may open it. */
export function findSubjectList(me: CurrentUserDto, signal: Signal): ListLink | null {
  const list = subjectLists[signal.subject.type]?.({ ...signal, evidence: readEvidence(signal) })
  return list && adminsWithPages(list.page)(me) ? list : null
}

/** Returns the list of the site whose hooks CallRail no longer calls. */
export function findHookList(me: CurrentUserDto, { subject }: Signal): ListLink | null {
  const list = clientSitesLink(subject.label.replace(/ \([^()]*\)$/, ''))
  return adminsWithPages(list.page)(me) ? list : null
}

/** The main act of kinds that are mended elsewhere: what its link says. Other kinds are checked again. */
export const mendingLabels: Partial<Record<SignalKind, string>> = {
  hooks_lost: 'Open hooks',
  all_quiet: 'Open Leads',
  connection_lost: 'Open Connections',
  listing_suspended: 'Open on Google',
  listing_changed: 'Review the change',
  google_relink: 'Reconnect account',
  redirect_broken: 'Open the redirect',
  link_lost: 'Open the page',
  events_quarantined: 'Open Leads',
  leads_unassigned: 'Assign the leads',
  mail_refused: 'Open the lead',
  report_refused: 'Open the client',
  behind_target: 'See why',
  cap_reached: 'Open the campaign',
  task_overdue: 'Open the task',
}
