import { IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { renderSince, renderSiteLink } from '#domains/listings/gmbs/ui/listing-cells.tsx'
import { clippedTextCell, renderBadge, renderExternalLink, textCell } from '#ui/cells/cells.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { useDialog } from '#ui/layout/useDialog.ts'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { RowActions } from '#ui/table/RowActions.tsx'
import type { RowTint, TableColumn } from '#ui/table/table-column.ts'
import type { SortOf } from '#ui/table/useList.ts'
import text from '#ui/theme/text.module.css'
import type { GoogleLocation, googleLocationsContract } from '../contract.ts'
import { locationFields } from '../fields.ts'
import {
  formatLocationValue,
  type LocationField,
  locationFieldLabels,
  type VerificationStatus,
  verificationStatusLabels,
} from '../labels.ts'
import { canEditLocation, EditLocationDialog, getEditBlocker } from './EditLocation.tsx'
import classes from './GoogleLocations.module.css'

type LocationTableColumns = TableColumn<GoogleLocation, SortOf<typeof googleLocationsContract.list>>[]

/** Highlights locations that Google Maps has hidden, unless their status is unknown because the account must be linked again. */
export const getLocationTint = ({ standing, needs_relink_since }: GoogleLocation): RowTint | undefined =>
  !needs_relink_since && (standing === 'suspended' || standing === 'disabled') ? 'suspended' : undefined

export const locationColumns: LocationTableColumns = [
  ...buildFieldColumns<typeof locationFields, GoogleLocation>(locationFields, {
    standing: { telling: true, cell: renderVerificationStatus },
    address: { telling: true },
    edits: { cell: renderEdits },
    website: { cell: ({ website }) => renderSiteLink(website) },
    primary_category: { cell: ({ primary_category }) => clippedTextCell(formatLocationValue(primary_category)) },
    categories: { cell: ({ categories }) => clippedTextCell(formatLocationValue(categories)) },
    google_maps_url: {
      cell: ({ google_maps_url }) => renderExternalLink(google_maps_url, google_maps_url && 'Open the map'),
    },
    review_link: { cell: ({ review_link }) => renderExternalLink(review_link, review_link && 'Write a review') },
  }),
  {
    key: 'actions',
    title: 'Actions',
    width: 76,
    pinned: 'end',
    cell: (location) => <EditLocationButton location={location} />,
  },
]

function EditLocationButton({ location }: { location: GoogleLocation }) {
  const editing = useDialog()
  const why = getEditBlocker(location)
  return (
    <RowActions>
      <IconButton
        label="Edit"
        icon={IconPencil}
        title={why ?? 'Edit'}
        disabled={!canEditLocation(location)}
        onClick={() => editing.open(undefined)}
      />
      {editing.opened && <EditLocationDialog location={location} onClose={editing.close} />}
    </RowActions>
  )
}

const statusBadgeKinds: Record<VerificationStatus, 'ok' | 'warn' | 'bad' | 'info' | 'neutral'> = {
  active: 'ok',
  suspended: 'bad',
  disabled: 'bad',
  pending_verification: 'warn',
  unverified: 'warn',
  ownership_conflict: 'warn',
  in_review: 'info',
  unknown: 'neutral',
}

/** Shows one badge: a vanished location has no status, and one whose account must be linked again has an unknown one. */
function renderVerificationStatus({
  standing,
  standing_since,
  needs_relink_since,
  vanished_since,
  open_status,
}: GoogleLocation) {
  if (vanished_since) return renderStacked(renderBadge('neutral', 'Removed on Google'), renderSince(vanished_since))
  if (needs_relink_since)
    return renderStacked(renderBadge('warn', 'Reconnect account'), renderSince(needs_relink_since))
  const isClosed = open_status?.startsWith('CLOSED')
  return renderStacked(
    <span className={arrange.badges}>
      {renderBadge(statusBadgeKinds[standing], verificationStatusLabels[standing])}
      {isClosed && renderBadge('neutral', open_status === 'CLOSED_PERMANENTLY' ? 'Closed' : 'Temporarily closed')}
    </span>,
    standing !== 'active' && renderSince(standing_since),
  )
}

function renderEdits({ edit, pending, has_google_updated }: GoogleLocation) {
  if (edit?.state === 'waiting')
    return renderStacked(
      renderBadge('info', 'Queued'),
      renderDetail(
        `${joinFieldLabels(edit.fields)}${edit.username ? `, by ${edit.username}` : ''}${edit.error ? `: ${edit.error}` : ''}`,
      ),
    )
  if (edit)
    return renderStacked(
      renderBadge('bad', 'Not changed'),
      renderDetail(`${joinFieldLabels(edit.fields)}: ${edit.error ?? ''}`),
    )
  if (pending.length > 0)
    return renderStacked(renderBadge('warn', 'In review at Google'), renderDetail(pending.join(', ')))
  return has_google_updated ? renderBadge('neutral', 'Changed by Google') : textCell(null)
}

const joinFieldLabels = (fields: object) =>
  (Object.keys(fields) as LocationField[]).map((field) => locationFieldLabels[field]).join(', ') // its keys

const renderStacked = (first: ReactNode, second?: ReactNode) => (
  <span className={classes.stack}>
    <span>{first}</span>
    {second}
  </span>
)
const renderDetail = (detail: string) => (
  <span className={`${text.caption} ${text.twoLines}`} title={detail}>
    {detail}
  </span>
)
