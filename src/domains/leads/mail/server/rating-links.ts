export const ratingStars = [1, 2, 3, 4, 5] as const

/** What a mail's key opens. */
export type MailLinks = {
  lead: string
  stars: { stars: number; href: string }[]
  notLead: string
  /** No person sees it: whoever opens it opens everything, and is a scanner. */
  trap: string
}

/** The addresses that stand in a mail, with the lead's key in each. */
export function buildMailLinks(publicUrl: string, leadId: number, key: string): MailLinks {
  const address = (path: string, more: Record<string, string> = {}) =>
    `${publicUrl}${path}?${new URLSearchParams({ lead: String(leadId), auth_key: key, ...more })}`
  return {
    lead: address('/rate'),
    stars: ratingStars.map((stars) => ({ stars, href: address('/rate', { rate: String(stars) }) })),
    notLead: address('/rate/not-lead'),
    trap: address('/rate', { trap: '1' }),
  }
}
