import type { ReactNode } from 'react'
import { verificationStatusLabels } from '#domains/listings/google/labels.ts'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import {
  CopyButton,
  clippedTextCell,
  countCell,
  renderBadge,
  renderExternalLink,
  renderPageLink,
  textCell,
} from '#ui/cells/cells.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import type { CallArgs } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import type { RowTint, TableColumn } from '#ui/table/table-column.ts'
import type { ListState, SortOf } from '#ui/table/useList.ts'
import { type Gmb, gmbsContract } from '../contract.ts'
import { getGmbStatusName, gmbColumnTitles, gmbFieldLabels, suspendedStatus } from '../labels.ts'
import { AcceptGmbButton, GmbActions } from './GmbActions.tsx'
import classes from './Gmbs.module.css'

type GmbTableColumns = TableColumn<Gmb, SortOf<typeof gmbsContract.list>>[]

/** Whoever looks after listings wants to see both at once: what is suspended, and what is not as it was. */
export const getGmbTint = (gmb: Gmb): RowTint | undefined =>
  gmb.status === suspendedStatus || gmb.changed ? 'suspended' : undefined

/** Told apart at their bars: whole where it is suspended, broken where it is changed, both side by side. */
export const getGmbRowClass = ({ status, changed }: Gmb): string | undefined =>
  changed ? (status === suspendedStatus ? classes.suspendedAndChanged : classes.changed) : undefined

const leadingColumns: GmbTableColumns = [
  {
    key: 'title',
    title: gmbFieldLabels.title,
    sort: 'title',
    pinned: 'start',
    width: 200,
    cell: ({ title }) => clippedTextCell(title),
  },
  {
    key: 'status',
    title: gmbFieldLabels.status,
    sort: 'status',
    width: 140,
    cell: ({ status, suspended_at, standing }) => (
      <span className={classes.stack}>
        {renderBadge(statusBadgeKinds[status] ?? 'neutral', getGmbStatusName(status))}
        {status === suspendedStatus && renderSince(suspended_at)}
        {standing && standing !== 'active' && (
          <span className={classes.reason}>
            {status === suspendedStatus && standing === 'suspended'
              ? 'by Google'
              : `Google: ${verificationStatusLabels[standing]}`}
          </span>
        )}
      </span>
    ),
  },
  {
    key: 'changed',
    title: gmbColumnTitles.changed,
    sort: 'changed',
    width: 192,
    cell: (gmb) => (gmb.changed ? <ChangedCell gmb={gmb} /> : textCell(null)),
  },
  {
    key: 'checked_at',
    title: gmbColumnTitles.checked_at,
    sort: 'checked_at',
    width: 176,
    cell: renderLastCheck,
  },
  {
    key: 'campaign',
    title: gmbFieldLabels.campaign_id,
    sort: 'campaign_name',
    width: 180,
    cell: ({ campaign_name }) => renderPageLink('/campaigns', { q: campaign_name }, clippedTextCell(campaign_name)),
  },
  {
    key: 'address',
    title: gmbFieldLabels.address,
    sort: 'address',
    width: 220,
    cell: ({ address }) => clippedTextCell(address),
  },
  {
    key: 'website',
    title: gmbFieldLabels.website,
    sort: 'website',
    width: 180,
    cell: ({ website }) => renderSiteLink(website),
  },
  {
    key: 'phone',
    title: gmbFieldLabels.phone,
    sort: 'phone',
    width: 156,
    cell: ({ phone }) => renderCopyable('phone', phone, phone && `tel:${phone}`),
  },
  {
    key: 'email',
    title: gmbFieldLabels.email,
    sort: 'email',
    width: 210,
    cell: ({ email }) => renderCopyable('email', email, email && `mailto:${email}`),
  },
  {
    key: 'recovery_email',
    title: gmbFieldLabels.recovery_email,
    width: 210,
    cell: ({ recovery_email: address }) => renderCopyable('recovery email', address, address && `mailto:${address}`),
  },
  { key: 'link', title: gmbFieldLabels.link, sort: 'link', width: 190, cell: (gmb) => renderSiteLink(gmb.link) },
  {
    key: 'review_link',
    title: gmbFieldLabels.review_link,
    sort: 'review_link',
    width: 190,
    cell: (gmb) => renderSiteLink(gmb.review_link),
  },
]

const trailingColumns: GmbTableColumns = [
  {
    key: 'reviews_count',
    title: gmbColumnTitles.reviews_count,
    sort: 'reviews_count',
    width: 112,
    align: 'end',
    cell: ({ reviews_count }) => countCell(reviews_count),
  },
  { key: 'notes', title: gmbFieldLabels.notes, sort: 'notes', width: 220, cell: ({ notes }) => clippedTextCell(notes) },
  {
    key: 'updated_at',
    title: gmbColumnTitles.updated_at,
    sort: 'updated_at',
    width: 156,
    cell: ({ updated_at }) => formatInstant(updated_at),
  },
  { key: 'actions', title: 'Actions', width: 164, pinned: 'end', cell: (gmb) => <GmbActions gmb={gmb} /> },
]

/** The switches show their change before the server has it, hence the list's `patch`. */
export function useGmbColumns(patch: PatchRow): GmbTableColumns {
  const setOwned = useGmbToggle(gmbsContract.toggleClientOwned, patch)
  const setLocation = useGmbToggle(gmbsContract.toggleClientLocation, patch)
  return [
    ...leadingColumns,
    {
      key: 'client_owned',
      title: gmbFieldLabels.client_owned,
      sort: 'client_owned',
      width: 112,
      cell: ({ id, title, client_owned }) => (
        <CellSwitch
          label={`${title} is client owned`}
          on={client_owned}
          set={(on) => void setOwned({ params: { id }, body: { client_owned: on } })}
        />
      ),
    },
    {
      key: 'is_client_location',
      title: gmbFieldLabels.is_client_location,
      sort: 'is_client_location',
      width: 124,
      cell: ({ id, title, is_client_location }) => (
        <CellSwitch
          label={`${title} is a client location`}
          on={is_client_location}
          set={(on) => void setLocation({ params: { id }, body: { is_client_location: on } })}
        />
      ),
    },
    ...trailingColumns,
  ]
}

type PatchRow = ListState<typeof gmbsContract.list>['patch']
type ToggleEndpoint = typeof gmbsContract.toggleClientOwned | typeof gmbsContract.toggleClientLocation

/** Seen at once, taken back when it fails, and offered to be undone. */
function useGmbToggle<E extends ToggleEndpoint>(call: E, patch: PatchRow) {
  const back = useAction<ToggleEndpoint>(call, { quiet: true, optimistic: show })
  const { run } = useAction<ToggleEndpoint>(call, {
    optimistic: show,
    undo: ({ params, body }) => void back.run({ params, body: invertBooleans(body ?? {}) }),
  })
  function show({ params, body }: CallArgs<ToggleEndpoint>[0]) {
    return patch(params.id, toBooleans(body ?? {}))
  }
  return run
}
const toBooleans = (body: object): Partial<Gmb> =>
  Object.fromEntries(Object.entries(body).map(([name, on]) => [name, Boolean(on)]))
const invertBooleans = (body: object) => Object.fromEntries(Object.entries(body).map(([name, on]) => [name, !on]))

const statusBadgeKinds: Record<number, 'ok' | 'warn' | 'bad' | 'neutral'> = {
  1: 'ok',
  2: 'warn',
  3: 'warn',
  4: 'bad',
  5: 'neutral',
}

function ChangedCell({ gmb }: { gmb: Gmb }) {
  return (
    <span className={classes.stack}>
      <span className={classes.line}>
        {renderBadge('warn', 'Changed')}
        {renderSince(gmb.changed_at)}
      </span>
      {gmb.changed_fields.length > 0 && <span className={classes.reason}>{gmb.changed_fields.join(', ')}</span>}
      <AcceptGmbButton gmb={gmb} />
    </span>
  )
}

const renderSince = (at: string | null): ReactNode =>
  at && (
    <span className={classes.since} title={formatInstant(at)}>
      since {formatInstant(at).slice(0, 10)}
    </span>
  )

/** When it was last looked at, and what came of it where that is not plain success. */
function renderLastCheck({ checked_at, check_problem, check_asked_at, missed_at, gone_at }: Gmb): ReactNode {
  if (check_asked_at) return renderBadge('info', 'Waits for its turn')
  const outcome = check_problem
    ? renderBadge('warn', 'Could not read')
    : missed_at
      ? renderBadge('warn', 'Not found once')
      : gone_at && (
          <>
            {renderBadge('bad', 'Not found')}
            {renderSince(gone_at)}
          </>
        )
  return (
    <span className={classes.stack}>
      {checked_at ? formatInstant(checked_at) : !outcome && <span className={classes.since}>Not checked yet</span>}
      {outcome}
      {check_problem && (
        <span className={classes.reason} title={check_problem}>
          {check_problem}
        </span>
      )}
    </span>
  )
}

const renderSiteLink = (url: string | null) =>
  renderExternalLink(url, url?.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, ''))

function renderCopyable(what: string, value: string | null, href: string | null): ReactNode {
  if (!value || !href) return textCell(null)
  return (
    <span className={classes.copied}>
      <a href={href} title={value}>
        {value}
      </a>
      <CopyButton value={value} what={what} />
    </span>
  )
}
