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
      .map(({ id, title, campaign_id, changed_at, changed_fields }) => ({
        kind: 'listing_changed',
        severity: 'note',
        subject: { type: 'listing', id, label: title },
        campaign_id,
        title: `${title} was edited on Google${changed_fields.length > 0 ? `: ${changed_fields.join(', ').toLowerCase()}` : ''}`,
        evidence: {
          says: 'Accept or revert the change.',
          since: changed_at?.toISOString() ?? null,
          fields: changed_fields,
        },
      })),
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
