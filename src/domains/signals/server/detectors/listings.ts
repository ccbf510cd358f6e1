import { placeLabel } from '#domains/listings/checks/labels.ts'
import type { ListingFacts } from '../facts.ts'
import type { SignalDetector } from '../finding.ts'

export const suspendedListingDetector: SignalDetector = {
  kinds: ['listing_suspended'],
  detect: ({ listings }) =>
    listings
      .filter(({ is_suspended }) => is_suspended)
      .map(({ id, title, link, campaign_id, suspended_at }) => ({
        kind: 'listing_suspended',
        severity: 'severe',
        subject: { type: 'listing', id, label: title },
        campaign_id,
        title: `The listing ${title} is suspended`,
        evidence: {
          says: 'Google suspended this profile. It does not show in Maps until reinstated.',
          since: suspended_at?.toISOString() ?? null,
          url: link,
        },
      })),
}

export const changedListingDetector: SignalDetector = {
  kinds: ['listing_changed'],
  detect: ({ listings }) =>
    listings
      .filter(({ changed }) => changed)
      .map((listing) => {
        const { id, campaign_id, changed_at, changed_fields } = listing
        const { title, says } = describeChange(listing)
        return {
          kind: 'listing_changed',
          severity: 'note',
          subject: { type: 'listing', id, label: listing.title },
          campaign_id,
          title,
          evidence: { says, since: changed_at?.toISOString() ?? null, fields: changed_fields },
        }
      }),
}

/** A correction at Google is a change too: only a person who accepts the listing ends it. */
function describeChange({ title, changed_fields, gone_at }: ListingFacts): { title: string; says: string } {
  if (gone_at)
    return {
      title: `${title} is no longer on Google Maps`,
      says: 'Search for the listing on Google Maps. If it was removed, restore it at Google.',
    }
  const edited = changed_fields.filter((label) => label !== placeLabel)
  if (edited.length === 0 && changed_fields.length > 0)
    return { title: `${title} is on Google Maps again`, says: 'Look at the listing. Then accept it as it is.' }
  return {
    title: `${title} was edited on Google${edited.length > 0 ? `: ${edited.join(', ').toLowerCase()}` : ''}`,
    says: 'Accept or revert the change. Once it is reverted at Google, accept the listing as it is.',
  }
}

export const googleAccountDetector: SignalDetector = {
  kinds: ['google_relink'],
  detect: ({ accounts, google_connection_id }) =>
    accounts.map(({ id, email, since }) => ({
      kind: 'google_relink',
      severity: 'warning',
      subject: { type: 'google_account', id, label: email },
      campaign_id: null,
      title: `Reconnect the Google account ${email}`,
      evidence: {
        says: 'Google no longer lets us in. The listings of this account are not updated until then.',
        since: since.toISOString(),
      },
      ...(google_connection_id !== null && {
        parent: { kind: 'connection_lost', type: 'connection', id: google_connection_id } as const,
      }),
    })),
}
