import { nameSiteStatus, type SiteCheckResult } from '#domains/sites/checks/contract.ts'
import { renderBadge } from '#ui/cells/cells.tsx'

/** Shows a site's status; after a first miss it has none yet, and the problem beside it says why. */
export function renderSiteBadge(site: SiteCheckResult) {
  if (site.status !== null) return renderBadge(site.status ? 'ok' : 'bad', nameSiteStatus(site))
  return site.checked_at === null && renderBadge('neutral', 'Not checked')
}
