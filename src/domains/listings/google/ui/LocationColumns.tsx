import { IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { badge, CopyButton, clipped, external, text } from '#ui/cells/cells.tsx'
import { shownMoment } from '#ui/cells/timestamps.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import type { Column, Tint } from '#ui/table/DataTable.tsx'
import { RowActions, RowButton } from '#ui/table/RowButton.tsx'
import type { SortOf } from '#ui/table/useList.ts'
import type { GoogleLocation, googleLocations } from '../contract.ts'
import { type Field, inWords, labels, type Standing, standingNames } from '../labels.ts'
import { EditLocation, mayEdit, whyNot } from './EditLocation.tsx'
import classes from './GoogleLocations.module.css'

type Columns = Column<GoogleLocation, SortOf<typeof googleLocations.list>>[]

/** What is lost on Google Maps stands out. What nobody knows, because the account must be linked again, does not. */
export const tint = ({ standing, needs_relink_since }: GoogleLocation): Tint | undefined =>
  !needs_relink_since && (standing === 'suspended' || standing === 'disabled') ? 'suspended' : undefined

export const columns: Columns = [
  {
    key: 'title',
    title: labels.title,
    sort: 'title',
    pinned: 'start',
    width: 220,
    cell: ({ title }) => clipped(title),
  },
  { key: 'standing', title: 'Standing', sort: 'standing', width: 168, cell: standingCell },
  { key: 'edits', title: 'Edits', width: 190, cell: editsCell },
  { key: 'address', title: labels.address, sort: 'address', width: 240, cell: ({ address }) => clipped(address) },
  { key: 'phone', title: labels.phone, sort: 'phone', width: 172, cell: ({ phone }) => phoneCell(phone) },
  { key: 'website', title: labels.website, sort: 'website', width: 190, cell: ({ website }) => site(website) },
  {
    key: 'service_area',
    title: labels.service_area,
    sort: 'service_area',
    width: 200,
    cell: ({ service_area }) => clipped(service_area),
  },
  {
    key: 'primary_category',
    title: labels.primary_category,
    sort: 'primary_category',
    width: 170,
    cell: ({ primary_category }) => clipped(inWords(primary_category)),
  },
  {
    key: 'categories',
    title: labels.categories,
    sort: 'categories',
    width: 210,
    cell: ({ categories }) => clipped(inWords(categories)),
  },
  {
    key: 'description',
    title: labels.description,
    sort: 'description',
    width: 260,
    cell: ({ description }) => clipped(description),
  },
  { key: 'email', title: 'Email', sort: 'email', width: 210, cell: ({ email }) => clipped(email) },
  {
    key: 'account_name',
    title: 'Account',
    sort: 'account_name',
    width: 160,
    cell: ({ account_name }) => clipped(account_name),
  },
  {
    key: 'google_maps_url',
    title: 'Google Maps',
    width: 120,
    cell: ({ google_maps_url }) => external(google_maps_url, google_maps_url && 'Open the map'),
  },
  {
    key: 'review_link',
    title: 'Review Link',
    width: 120,
    cell: ({ review_link }) => external(review_link, review_link && 'Write a review'),
  },
  { key: 'seen_at', title: 'Last Read', sort: 'seen_at', width: 156, cell: ({ seen_at }) => shownMoment(seen_at) },
  { key: 'actions', title: 'Actions', width: 84, pinned: 'end', cell: (location) => <Edit location={location} /> },
]

function Edit({ location }: { location: GoogleLocation }) {
  const editing = useDialog()
  const why = whyNot(location)
  return (
    <RowActions>
      <RowButton
        label="Edit"
        icon={IconPencil}
        title={why ?? 'Edit'}
        disabled={!mayEdit(location)}
        onClick={() => editing.open(undefined)}
      />
      {editing.opened && <EditLocation location={location} onClose={editing.close} />}
    </RowActions>
  )
}

const kinds: Record<Standing, 'ok' | 'warn' | 'bad' | 'info' | 'neutral'> = {
  active: 'ok',
  suspended: 'bad',
  disabled: 'bad',
  pending_verification: 'warn',
  unverified: 'warn',
  ownership_conflict: 'warn',
  in_review: 'info',
  unknown: 'neutral',
}

/** One thing at a time: what is gone has no standing, and of what must be linked again nobody knows it. */
function standingCell({ standing, standing_since, needs_relink_since, vanished_since, open_status }: GoogleLocation) {
  if (vanished_since) return stacked(badge('neutral', 'Gone from Google'), since(vanished_since))
  if (needs_relink_since) return stacked(badge('warn', 'Needs re-link'), since(needs_relink_since))
  const isClosed = open_status?.startsWith('CLOSED')
  return stacked(
    <span className={classes.line}>
      {badge(kinds[standing], standingNames[standing])}
      {isClosed && badge('neutral', open_status === 'CLOSED_PERMANENTLY' ? 'Closed' : 'Closed for now')}
    </span>,
    standing !== 'active' && since(standing_since),
  )
}

function editsCell({ edit, pending, has_google_updated }: GoogleLocation) {
  if (edit?.state === 'waiting')
    return stacked(
      badge('info', 'Waits its turn'),
      about(
        `${names(edit.fields)}${edit.username ? `, by ${edit.username}` : ''}${edit.error ? `: ${edit.error}` : ''}`,
      ),
    )
  if (edit) return stacked(badge('bad', 'Not changed'), about(`${names(edit.fields)}: ${edit.error ?? ''}`))
  if (pending.length > 0) return stacked(badge('warn', 'Google reviews it'), about(pending.join(', ')))
  return has_google_updated ? badge('neutral', 'Changed by Google') : text(null)
}

const names = (fields: object) => (Object.keys(fields) as Field[]).map((field) => labels[field]).join(', ') // the fields of an edit

const stacked = (first: ReactNode, second?: ReactNode) => (
  <span className={classes.stack}>
    <span>{first}</span>
    {second}
  </span>
)
const about = (words: string) => (
  <span className={classes.about} title={words}>
    {words}
  </span>
)
const since = (at: string) => (
  <span className={classes.about} title={shownMoment(at)}>
    since {shownMoment(at).slice(0, 10)}
  </span>
)

const site = (url: string | null) => external(url, url?.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, ''))

function phoneCell(phone: string | null) {
  if (!phone) return text(null)
  return (
    <span className={classes.phone}>
      <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>
      <CopyButton value={phone} what="phone" />
    </span>
  )
}
