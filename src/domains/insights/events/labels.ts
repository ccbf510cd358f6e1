import type { PermissionFlag } from '#contract/allow.ts'

type EventKindFacts = {
  label: string
  /** The pages that show it. Users without any of them do not see the event. */
  pages: readonly PermissionFlag[]
}

/** The events of a campaign, named as in the facts of backtests where both have them. */
export const campaignEvents = {
  note: { label: 'Note', pages: ['changelog', 'activityLog'] },
  task: { label: 'Task', pages: ['changelog', 'activityLog'] },
  target_changed: { label: 'Target changed', pages: ['leadChart', 'campaigns'] },
  hours_edited: { label: 'Working hours edited', pages: ['campaigns'] },
  area_edited: { label: 'Area edited', pages: ['campaigns', 'campaignMap'] },
  terms_changed: { label: 'Terms changed', pages: ['campaigns'] },
  campaign_added: { label: 'Campaign added', pages: ['leadChart', 'changelog', 'campaigns'] },
  campaign_archived: { label: 'Archived or unarchived', pages: ['leadChart', 'changelog', 'campaigns'] },
  campaign_edited: { label: 'Campaign edited', pages: ['leadChart', 'changelog', 'campaigns'] },
  keyword_added: { label: 'Keyword added', pages: ['leads', 'leadsRelated'] },
  site_edited: { label: 'Client site edited', pages: ['clientSites'] },
  site_offline: { label: 'Site offline', pages: ['clientSites'] },
  site_online: { label: 'Site online', pages: ['clientSites'] },
  site_ip: { label: 'Site moved to another IP', pages: ['clientSites'] },
  site_certificate: { label: 'Certificate changed', pages: ['clientSites'] },
  registration: { label: 'Registration changed', pages: ['clientSites'] },
  listing_suspended: { label: 'Listing suspended', pages: ['campaignGmbs'] },
  listing_edited: { label: 'Listing edited', pages: ['campaignGmbs'] },
  listing_changed: { label: 'Listing changed', pages: ['campaignGmbs'] },
  google_location: { label: 'Google location changed', pages: ['googleLocations'] },
  link_lost: { label: 'Link lost', pages: ['outgoingLinks'] },
  link_found: { label: 'Link found', pages: ['outgoingLinks'] },
  redirect_broken: { label: 'Redirect broken', pages: ['redirectDomains'] },
  redirect_restored: { label: 'Redirect restored', pages: ['redirectDomains'] },
} as const satisfies Record<string, EventKindFacts>

export type CampaignEventKind = keyof typeof campaignEvents
export const campaignEventKinds = Object.keys(campaignEvents) as [CampaignEventKind, ...CampaignEventKind[]] // the object's own keys

/** Who did it: a signed-in person, or a check, a sync or a provider. */
export const eventActors = ['person', 'machine'] as const

/** Returns whether a person with these pages sees events of this kind. */
export const canReadEvents = (kind: CampaignEventKind, permissions: Readonly<Record<PermissionFlag, boolean>>) =>
  campaignEvents[kind].pages.some((page) => permissions[page])
