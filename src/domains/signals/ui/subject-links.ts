import type { PermissionFlag } from '#contract/allow.ts'
import type { Signal } from '../contract.ts'
import type { SignalSubjectType } from '../labels.ts'

/** Returns the page of a signal's subject; null where it has none. */
export function findSubjectPage({ subject: { type, id }, evidence }: Signal) {
  if (type === 'source') return { kind: 'client_site', id: Number.parseInt(String(id), 10) } as const // 11/callrail is of site 11
  if (type === 'mail' && typeof evidence.mail_lead_id === 'number')
    return { kind: 'lead', id: evidence.mail_lead_id } as const
  if (type === 'campaign') return { kind: type, id: Number(id) } as const
  if (type === 'client_site' || type === 'network_site' || type === 'listing') return { kind: type, id: Number(id) }
  return null
}

type ListSearch = Record<string, string | number>
const listLink = (page: PermissionFlag, path: string, search: ListSearch = {}) => ({ page, path, search })

/** The lists in which subjects without a page can be changed, each with the right that opens it. */
export const findSubjectList: Partial<
  Record<SignalSubjectType, (signal: Signal) => ReturnType<typeof listLink> | null>
> = {
  link: ({ subject }) => listLink('outgoingLinks', '/network-sites/outgoing-links', { q: subject.label }),
  redirect_domain: ({ subject }) => listLink('redirectDomains', '/redirect-domains', { q: subject.label }),
  domain: ({ subject, campaign }) =>
    campaign
      ? listLink('clientSites', '/client-sites', { url: subject.label })
      : listLink('networkSites', '/network-sites', { url: subject.label }),
  host: ({ subject }) => listLink('clientSites', '/client-sites', { url: subject.label }),
  ip: ({ subject }) => listLink('ipAddresses', '/ips', { ip: subject.label }),
  google_account: () => listLink('googleLocations', '/gmb-manager'),
  // A super admin's list says there what waits, and what to do about it.
  agency: () => listLink('leads', '/leads'),
  task: ({ campaign, evidence: { date } }) =>
    campaign && typeof date === 'string'
      ? listLink('changelog', '/campaigns-changelog', { from: date, to: date, campaign_ids: campaign.id })
      : null,
}
