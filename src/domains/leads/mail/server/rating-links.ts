const ratingStars = [1, 2, 3, 4, 5] as const

/** The links in a mail, with its rating key. */
export type MailLinks = {
  lead: string
  /** The lead's page with its recording; opening it saves nothing. */
  listen: string
  stars: { stars: number; href: string }[]
  notLead: string
  /** Invisible to people: only a scanner opens it. */
  trap: string
}

/** Builds the links of a mail, each with the lead's key. */
export function buildMailLinks(publicUrl: string, leadId: number, key: string): MailLinks {
  const address = (path: string, more: Record<string, string> = {}) =>
    `${publicUrl}${path}?${new URLSearchParams({ lead: String(leadId), auth_key: key, ...more })}`
  return {
    lead: address('/rate'),
    listen: address('/rate', { listen: '1' }),
    stars: ratingStars.map((stars) => ({ stars, href: address('/rate', { rate: String(stars) }) })),
    notLead: address('/rate/not-lead'),
    trap: address('/rate', { trap: '1' }),
  }
}

/** Builds the links of a test lead: all open a page that says so, and none saves anything. */
export function buildTestLinks(publicUrl: string): MailLinks {
  const href = `${publicUrl}/rate?test=1`
  return { lead: href, listen: href, stars: ratingStars.map((stars) => ({ stars, href })), notLead: href, trap: href }
}
