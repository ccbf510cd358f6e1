import { parseHost } from '#contract/web-address.ts'
import type { SiteCheckResult } from '#domains/sites/checks/contract.ts'
import { type ClientSite, clientSitesContract } from '#domains/sites/client/contract.ts'
import { type NetworkSite, networkSitesContract } from '#domains/sites/network/contract.ts'
import { SiteChecks, SiteHooks, SiteLogList } from '#domains/sites/ui/public.ts'
import { countCell, dateCell, renderBadge, renderPageLink, textCell } from '#ui/cells/cells.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { ShortTime } from '#ui/cells/ShortTime.tsx'
import { formatInstantDay } from '#ui/cells/timestamps.ts'
import { usePageAccess } from '#ui/data/page-access.ts'
import { useApi } from '#ui/data/useApi.ts'
import { NotFoundPage } from '#ui/feedback/page-states.tsx'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import classes from './RecordPage.module.css'
import { FactList, RecordPage, RecordSection, renderWebAddress, useRecordId } from './RecordPage.tsx'
import { renderSiteBadge } from './site-badge.tsx'
import { UptimeBar } from './UptimeBar.tsx'

/** A client's site, which receives leads. */
export default function ClientSiteScreen() {
  const id = useRecordId()
  return id === null ? <NotFoundPage /> : <ClientSitePage key={id} id={id} />
}

function ClientSitePage({ id }: { id: number }) {
  const query = useApi(clientSitesContract.get, { params: { id } }, { quiet: true })
  return (
    <RecordPage
      kind="Client site"
      query={query}
      title={({ url }) => url}
      about={renderSiteState}
      actions={(site) => (
        <>
          <SiteHooks isLabeled site={site} />
          <SiteChecks isLabeled site={site} check={clientSitesContract.check} logs={clientSitesContract.logs} />
        </>
      )}
    >
      {(site: ClientSite) => (
        <>
          <RecordSection title="Site">
            <FactList
              facts={[
                ['URL', renderWebAddress(site.url)],
                [
                  'Campaign',
                  site.campaign ? (
                    <RecordLink key="campaign" kind="campaign" id={site.campaign.id}>
                      {site.campaign.name}
                    </RecordLink>
                  ) : (
                    'None'
                  ),
                ],
                ...listCheckFacts(site),
                ['IP', textCell(site.ip)],
                ['CallRail Company ID', textCell(site.callrail_campaign_identifier)],
              ]}
            />
          </RecordSection>
          <SeeAlso
            links={[
              ...(site.campaign ? [['/leads', { campaign_ids: site.campaign.id }, 'Campaign’s leads'] as const] : []),
              ['/client-sites', { url: site.url }, 'Edit in Client Sites'],
              ['/lead-sources', {}, 'Lead sources'],
              ['/network-sites', { host: parseHost(site.url) }, 'Network sites that link here'],
              ['/network-sites/outgoing-links', { url: parseHost(site.url) }, 'Backlinks'],
              ['/redirect-domains', { url: parseHost(site.url) }, '301 domains'],
            ]}
          />
          <RecordSection title="Uptime" wide>
            <UptimeBar call={clientSitesContract.logs} site={site} />
            <SiteLogList call={clientSitesContract.logs} id={id} />
          </RecordSection>
        </>
      )}
    </RecordPage>
  )
}

/** A site of our own network. */
export function NetworkSiteScreen() {
  const id = useRecordId()
  return id === null ? <NotFoundPage /> : <NetworkSitePage key={id} id={id} />
}

function NetworkSitePage({ id }: { id: number }) {
  const query = useApi(networkSitesContract.get, { params: { id } }, { quiet: true })
  return (
    <RecordPage
      kind="Network site"
      query={query}
      title={({ url }) => url}
      about={renderSiteState}
      actions={(site) => (
        <SiteChecks isLabeled site={site} check={networkSitesContract.check} logs={networkSitesContract.logs} />
      )}
    >
      {(site: NetworkSite) => (
        <>
          <RecordSection title="Site">
            <FactList
              facts={[
                ['URL', renderWebAddress(site.url)],
                ['Category', textCell(site.category)],
                ...listCheckFacts(site),
                ['IP', textCell(site.ip?.ip)],
              ]}
            />
          </RecordSection>
          <RecordSection title="Registration">
            <FactList
              facts={[
                ['Registrar', textCell(site.registrar)],
                ['Registrant', textCell(site.registrant)],
                ['Registered', dateCell(site.registration_date)],
                ['Expires', dateCell(site.expiration_date)],
                ['Name servers', textCell([site.nameserver_1, site.nameserver_2].filter(Boolean).join(', '))],
              ]}
            />
          </RecordSection>
          <SeeAlso
            links={[
              ['/network-sites', { url: site.url }, 'Edit in Network Sites'],
              ['/network-sites/outgoing-links', { network_site_q: site.url }, 'Outgoing links'],
            ]}
          />
          <RecordSection title="Uptime" wide>
            <UptimeBar call={networkSitesContract.logs} site={site} />
            <SiteLogList call={networkSitesContract.logs} id={id} />
          </RecordSection>
        </>
      )}
    </RecordPage>
  )
}

type PageAddress = readonly [path: string, search: Record<string, string | number>, label: string]

/** Links to lists, those that this person may open. */
function SeeAlso({ links }: { links: readonly PageAddress[] }) {
  const mayOpen = usePageAccess()
  const shown = links.filter(([path]) => mayOpen(path))
  return (
    <RecordSection title="See also">
      <ul className={`${classes.list} ${text.dense} ${arrange.ruled}`} aria-label="See also">
        {shown.map(([path, search, label]) => (
          <li key={path}>{renderPageLink(path, search, label)}</li>
        ))}
      </ul>
    </RecordSection>
  )
}

function renderSiteState(site: SiteCheckResult) {
  const { blocked, problem, checked_at } = site
  return (
    <>
      {renderSiteBadge(site)}
      {blocked === 1 && renderBadge('warn', 'Blocked')}
      {problem && <span>{problem}</span>}
      {checked_at && (
        <span>
          Checked <ShortTime at={checked_at} />
        </span>
      )}
    </>
  )
}

const listCheckFacts = ({ http_status_code, redirect_url, tls_expires_at }: SiteCheckResult) =>
  [
    ['HTTP code', countCell(http_status_code)],
    ['Redirects to', renderWebAddress(redirect_url)],
    ['Certificate until', textCell(tls_expires_at && formatInstantDay(tls_expires_at))],
  ] as const
