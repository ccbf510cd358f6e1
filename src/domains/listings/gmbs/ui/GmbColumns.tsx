import type { ReactNode } from 'react'
import { standingNames } from '#domains/listings/google/labels.ts'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import { badge, CopyButton, clipped, count, external, link, text } from '#ui/cells/cells.tsx'
import { shownMoment } from '#ui/cells/timestamps.ts'
import type { InputArgs } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import type { Column, Tint } from '#ui/table/DataTable.tsx'
import type { List, SortOf } from '#ui/table/useList.ts'
import { type Gmb, gmbs } from '../contract.ts'
import { columnTitles, labels, statusName, suspended } from '../labels.ts'
import { Accept, GmbActions } from './GmbActions.tsx'
import classes from './Gmbs.module.css'

type Columns = Column<Gmb, SortOf<typeof gmbs.list>>[]

/** Whoever looks after listings wants to see both at once: what is suspended, and what is not as it was. */
export const tint = (gmb: Gmb): Tint | undefined => (gmb.status === suspended || gmb.changed ? 'suspended' : undefined)

/** Told apart at their bars: whole where it is suspended, broken where it is changed, both side by side. */
export const bars = ({ status, changed }: Gmb): string | undefined =>
  changed ? (status === suspended ? classes.suspendedAndChanged : classes.changed) : undefined

const before: Columns = [
  {
    key: 'title',
    title: labels.title,
    sort: 'title',
    pinned: 'start',
    width: 200,
    cell: ({ title }) => clipped(title),
  },
  {
    key: 'status',
    title: labels.status,
    sort: 'status',
    width: 140,
    cell: ({ status, suspended_at, standing }) => (
      <span className={classes.stack}>
        {badge(kinds[status] ?? 'neutral', statusName(status))}
        {status === suspended && since(suspended_at)}
        {standing && standing !== 'active' && (
          <span className={classes.reason}>
            {status === suspended && standing === 'suspended' ? 'by Google' : `Google: ${standingNames[standing]}`}
          </span>
        )}
      </span>
    ),
  },
  {
    key: 'changed',
    title: columnTitles.changed,
    sort: 'changed',
    width: 192,
    cell: (gmb) => (gmb.changed ? <Changed gmb={gmb} /> : text(null)),
  },
  {
    key: 'checked_at',
    title: columnTitles.checked_at,
    sort: 'checked_at',
    width: 176,
    cell: lastCheck,
  },
  {
    key: 'campaign',
    title: labels.campaign_id,
    sort: 'campaign_name',
    width: 180,
    cell: ({ campaign_name }) => link('/campaigns', { q: campaign_name }, clipped(campaign_name)),
  },
  { key: 'address', title: labels.address, sort: 'address', width: 220, cell: ({ address }) => clipped(address) },
  { key: 'website', title: labels.website, sort: 'website', width: 180, cell: ({ website }) => site(website) },
  {
    key: 'phone',
    title: labels.phone,
    sort: 'phone',
    width: 156,
    cell: ({ phone }) => copied('phone', phone, phone && `tel:${phone}`),
  },
  {
    key: 'email',
    title: labels.email,
    sort: 'email',
    width: 210,
    cell: ({ email }) => copied('email', email, email && `mailto:${email}`),
  },
  {
    key: 'recovery_email',
    title: labels.recovery_email,
    width: 210,
    cell: ({ recovery_email: address }) => copied('recovery email', address, address && `mailto:${address}`),
  },
  { key: 'link', title: labels.link, sort: 'link', width: 190, cell: (gmb) => site(gmb.link) },
  {
    key: 'review_link',
    title: labels.review_link,
    sort: 'review_link',
    width: 190,
    cell: (gmb) => site(gmb.review_link),
  },
]

const after: Columns = [
  {
    key: 'reviews_count',
    title: columnTitles.reviews_count,
    sort: 'reviews_count',
    width: 112,
    align: 'end',
    cell: ({ reviews_count }) => count(reviews_count),
  },
  { key: 'notes', title: labels.notes, sort: 'notes', width: 220, cell: ({ notes }) => clipped(notes) },
  {
    key: 'updated_at',
    title: columnTitles.updated_at,
    sort: 'updated_at',
    width: 156,
    cell: ({ updated_at }) => shownMoment(updated_at),
  },
  { key: 'actions', title: 'Actions', width: 164, pinned: 'end', cell: (gmb) => <GmbActions gmb={gmb} /> },
]

/** The switches show their change before the server has it, hence the list's `patch`. */
export function useGmbColumns(patch: Patch): Columns {
  const setOwned = useSwitch(gmbs.toggleClientOwned, patch)
  const setLocation = useSwitch(gmbs.toggleClientLocation, patch)
  return [
    ...before,
    {
      key: 'client_owned',
      title: labels.client_owned,
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
      title: labels.is_client_location,
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
    ...after,
  ]
}

type Patch = List<typeof gmbs.list>['patch']
type Switch = typeof gmbs.toggleClientOwned | typeof gmbs.toggleClientLocation

/** Seen at once, taken back when it fails, and offered to be undone. */
function useSwitch<E extends Switch>(call: E, patch: Patch) {
  const back = useAction<Switch>(call, { quiet: true, optimistic: show })
  const { run } = useAction<Switch>(call, {
    optimistic: show,
    undo: ({ params, body }) => void back.run({ params, body: other(body ?? {}) }),
  })
  function show({ params, body }: InputArgs<Switch>[0]) {
    return patch(params.id, plain(body ?? {}))
  }
  return run
}
const plain = (body: object): Partial<Gmb> =>
  Object.fromEntries(Object.entries(body).map(([name, on]) => [name, Boolean(on)]))
const other = (body: object) => Object.fromEntries(Object.entries(body).map(([name, on]) => [name, !on]))

const kinds: Record<number, 'ok' | 'warn' | 'bad' | 'neutral'> = {
  1: 'ok',
  2: 'warn',
  3: 'warn',
  4: 'bad',
  5: 'neutral',
}

function Changed({ gmb }: { gmb: Gmb }) {
  return (
    <span className={classes.stack}>
      <span className={classes.line}>
        {badge('warn', 'Changed')}
        {since(gmb.changed_at)}
      </span>
      {gmb.changed_fields.length > 0 && <span className={classes.reason}>{gmb.changed_fields.join(', ')}</span>}
      <Accept gmb={gmb} />
    </span>
  )
}

const since = (at: string | null): ReactNode =>
  at && (
    <span className={classes.since} title={shownMoment(at)}>
      since {shownMoment(at).slice(0, 10)}
    </span>
  )

/** When it was last looked at, and what came of it where that is not plain success. */
function lastCheck({ checked_at, check_problem, check_asked_at, missed_at, gone_at }: Gmb): ReactNode {
  if (check_asked_at) return badge('info', 'Waits for its turn')
  const outcome = check_problem
    ? badge('warn', 'Could not read')
    : missed_at
      ? badge('warn', 'Not found once')
      : gone_at && (
          <>
            {badge('bad', 'Not found')}
            {since(gone_at)}
          </>
        )
  return (
    <span className={classes.stack}>
      {checked_at ? shownMoment(checked_at) : !outcome && <span className={classes.since}>Not checked yet</span>}
      {outcome}
      {check_problem && (
        <span className={classes.reason} title={check_problem}>
          {check_problem}
        </span>
      )}
    </span>
  )
}

const site = (url: string | null) => external(url, url?.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, ''))

function copied(what: string, value: string | null, href: string | null): ReactNode {
  if (!value || !href) return text(null)
  return (
    <span className={classes.copied}>
      <a href={href} title={value}>
        {value}
      </a>
      <CopyButton value={value} what={what} />
    </span>
  )
}
