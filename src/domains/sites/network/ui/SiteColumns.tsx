import { renderExpiry, renderHttpCode, renderSiteStatus, renderSiteUrl } from '#domains/sites/checks/ui/site-cells.tsx'
import { clippedTextCell, renderBadge, shortenUrl, textCell } from '#ui/cells/cells.tsx'
import { formatInstant, formatInstantDay } from '#ui/cells/timestamps.ts'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import type { NetworkSite } from '../contract.ts'
import { networkSiteFields } from '../fields.ts'

export const networkSiteColumns = buildFieldColumns<typeof networkSiteFields, NetworkSite>(networkSiteFields, {
  url: {
    pinned: 'start',
    width: 220,
    cell: ({ id, url }) => renderSiteUrl('network_site', id, url),
    plain: ({ url }) => shortenUrl(url),
  },
  category: { width: 130 },
  status: { width: 90, telling: true, cell: renderSiteStatus },
  http_status_code: { width: 80, cell: renderHttpCode },
  registrar: { width: 160, cell: renderRegistrar },
  registrant: { width: 150 },
  ip: { width: 130, cell: ({ ip }) => textCell(ip?.ip) },
  registration_date: { width: 160 },
  expiration_date: { width: 130, telling: true, cell: ({ expiration_date }) => renderExpiry(expiration_date) },
  nameserver_1: { width: 170 },
  nameserver_2: { width: 170 },
  last_google_index: { width: 120, cell: renderGoogleIndex },
  redirect_url: { width: 180 },
  reverse_ip: { width: 190 },
  outgoing_links_parsing_error: { width: 210, cell: renderLinksError },
})

function renderRegistrar({ registrar: name, registration_problem }: NetworkSite) {
  if (name || !registration_problem) return clippedTextCell(name)
  return <span title={registration_problem}>{renderBadge('warn', 'Not known')}</span>
}

/** Never guessed: without a search API the site was not checked. */
function renderGoogleIndex({ last_google_index, google_asked_at }: NetworkSite) {
  if (last_google_index) return formatInstantDay(last_google_index)
  return google_asked_at ? renderBadge('warn', 'Not found') : renderBadge('neutral', 'Not checked')
}

function renderLinksError({ outgoing_links_parsing_error: error, outgoing_links_parsing_failed_at: at }: NetworkSite) {
  return clippedTextCell(error && at ? `${formatInstant(at)}: ${error}` : error)
}
