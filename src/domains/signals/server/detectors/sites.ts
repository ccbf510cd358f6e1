import { msPerDay } from '#contract/days.ts'
import { formatZonedInstant } from '#core/time/local-time.ts'
import type { OfflineSite } from '../facts.ts'
import { addReason, type SignalDetector, type SignalFinding, type SubjectKey, toLostRange } from '../finding.ts'
import { describeSharedFault } from '../shared-faults.ts'

/** This many sites down together point to a shared cause. */
export const sharedFaultSites = 3
const daysPerMonth = 30.4375

/** One signal about Leadline itself, instead of one for each site that it cannot reach. */
export const leadlineOfflineDetector: SignalDetector = {
  kinds: ['leadline_offline'],
  detect: ({ offline_since, timeZone }) =>
    offline_since === null
      ? []
      : [
          {
            kind: 'leadline_offline',
            severity: 'severe',
            subject: { type: 'agency', id: 0, label: 'Leadline' },
            campaign_id: null,
            title: 'Leadline cannot reach the internet',
            evidence: {
              says: `Since ${formatZonedInstant(offline_since, timeZone)} nearly every check has found no name, no connection or no answer. The sites keep their status until checks get through again; look at the network of the machine that Leadline runs on.`,
              since: offline_since.toISOString(),
            },
          },
        ],
}

/** Offline sites, with one parent for sites that share an IP address, else a host. */
export const siteDetector: SignalDetector = {
  kinds: ['site_offline'],
  detect: ({ sites }, asOf) => {
    const byIp = groupShared(sites, ({ ip }) => ip)
    const ipKey = (site: OfflineSite): SubjectKey | undefined =>
      site.ip !== null && byIp.has(site.ip)
        ? { kind: 'site_offline', type: 'ip', id: site.ip_id ?? site.ip }
        : undefined
    const byHost = groupShared(
      sites.filter((site) => !ipKey(site)),
      ({ host }) => host,
    )
    const hostKey = (site: OfflineSite): SubjectKey | undefined =>
      byHost.has(site.host) ? { kind: 'site_offline', type: 'host', id: site.host } : undefined
    const parents = [
      ...[...byIp].map(([ip, down]) => toSharedFinding('ip', down[0]!.ip_id ?? ip, ip, down)),
      ...[...byHost].map(([host, down]) => toSharedFinding('host', host, host, down)),
    ]
    return [...parents, ...sites.map((site) => withParent(toSiteFinding(site, asOf), ipKey(site) ?? hostKey(site)))]
  },
}

/** Sites whose checks say nothing any more, because they are kept out. */
export const uncheckedSiteDetector: SignalDetector = {
  kinds: ['site_unchecked'],
  detect: ({ unchecked, timeZone }) =>
    unchecked.map(({ type, id, host, campaign_id, since, problem }) => ({
      kind: 'site_unchecked',
      severity: 'note',
      subject: { type, id, label: host },
      campaign_id,
      title: `${host} keeps checkers out`,
      evidence: {
        says: `Since ${formatZonedInstant(since, timeZone)} no check has shown whether people can open it${addReason(problem)}. Its host can let the checks in.`,
        since: since.toISOString(),
        problem,
      },
    })),
}

function groupShared(sites: OfflineSite[], keyOf: (site: OfflineSite) => string | null): Map<string, OfflineSite[]> {
  const groups = Map.groupBy(sites, keyOf)
  return new Map(
    [...groups].flatMap(([key, group]) => (key !== null && group.length >= sharedFaultSites ? [[key, group]] : [])),
  )
}

const withParent = (finding: SignalFinding, parent: SubjectKey | undefined): SignalFinding =>
  parent ? { ...finding, parent } : finding

function toSiteFinding(site: OfflineSite, asOf: Date): SignalFinding {
  const { type, id, host, campaign_id, since, never_live, problem, http_status_code, leads_per_month, came } = site
  const days = Math.max(0, asOf.getTime() - since.getTime()) / msPerDay
  const expected = (leads_per_month / daysPerMonth) * days
  return {
    kind: 'site_offline',
    severity: type === 'client_site' ? 'severe' : 'warning',
    subject: { type, id, label: host },
    campaign_id,
    title: never_live ? `${host} has not been reached yet` : `${host} is offline`,
    evidence: {
      says: `${never_live ? 'No check has reached the site since it was added' : 'Down in two checks in a row'}${describeProblem(problem)}.`,
      since: since.toISOString(),
      problem,
      http_status_code,
      never_live,
    },
    expected_lost: type === 'client_site' && expected > 0 ? toLostRange(expected, 10, came) : null,
  }
}

/** `Error 500` is a problem of a site check. */
function describeProblem(problem: string | null): string {
  const [, error] = /^Error (\d{3}.*)$/.exec(problem ?? '') ?? []
  return error ? ` (error ${error})` : addReason(problem)
}

function toSharedFinding(type: 'ip' | 'host', id: number | string, label: string, down: OfflineSite[]): SignalFinding {
  const campaigns = new Set(down.map(({ campaign_id }) => campaign_id))
  const [only] = campaigns
  const { title, evidence } = describeSharedFault(
    label,
    down.map(({ host, since }) => ({ host, since: since.toISOString() })),
  )
  return {
    kind: 'site_offline',
    severity: 'severe',
    subject: { type, id, label },
    campaign_id: campaigns.size === 1 ? (only ?? null) : null,
    title,
    evidence: { ...evidence, in_network: down.every((site) => site.type === 'network_site') },
  }
}
