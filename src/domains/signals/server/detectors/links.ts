import type { SignalDetector } from '../finding.ts'

export const redirectDetector: SignalDetector = {
  kinds: ['redirect_broken'],
  detect: ({ redirects }) =>
    redirects.map(({ id, domain, redirect_url }) => ({
      kind: 'redirect_broken',
      severity: 'warning',
      subject: { type: 'redirect_domain', id, label: domain },
      campaign_id: null,
      title: `${domain} does not redirect`,
      evidence: { says: `${domain} does not lead to ${redirect_url}.`, redirect_url },
    })),
}

export const lostLinkDetector: SignalDetector = {
  kinds: ['link_lost'],
  detect: ({ links }) =>
    links.map(({ id, url, page, from, campaign_ids, lost_at }) => ({
      kind: 'link_lost',
      severity: 'note',
      subject: { type: 'link', id, label: url },
      campaign_id: campaign_ids[0] ?? null,
      title: `Backlink lost: ${from} → ${shortenUrl(url)}`,
      evidence: {
        says: `The page ${page} no longer has the link to ${url}.`,
        url,
        page,
        since: lost_at.toISOString(),
        campaign_ids,
      },
    })),
}

/** Returns host and path, without the scheme: `shop.example (/services)`. */
function shortenUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  return parsed.pathname === '/' ? parsed.host : `${parsed.host} (${parsed.pathname})`
}
