import type { ReactNode } from 'react'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import { clippedTextCell, renderBadge, textCell } from '#ui/cells/cells.tsx'
import { EmailCell } from '#ui/cells/EmailCell.tsx'
import { instantCell } from '#ui/cells/instant-cell.tsx'
import { PhoneCell } from '#ui/cells/PhoneCell.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import type { CallArgs } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import arrange from '#ui/layout/arrange.module.css'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import type { RowTint, TableColumn } from '#ui/table/table-column.ts'
import type { ListState, SortOf } from '#ui/table/useList.ts'
import { type Gmb, gmbsContract } from '../contract.ts'
import { gmbFields } from '../fields.ts'
import { suspendedStatus } from '../labels.ts'
import { AcceptGmbButton, GmbActions } from './GmbActions.tsx'
import classes from './Gmbs.module.css'
import { renderQuietText, renderSince, renderSiteLink } from './listing-cells.tsx'
import { renderListingStatus } from './listing-status.tsx'

type GmbTableColumns = TableColumn<Gmb, SortOf<typeof gmbsContract.list>>[]

/** Highlights suspended and changed listings. */
export const getGmbTint = (gmb: Gmb): RowTint | undefined =>
  gmb.status === suspendedStatus || gmb.changed ? 'suspended' : undefined

/** Distinguishes the two by the bar: solid for suspended, broken for changed, or both side by side. */
export const getGmbRowClass = ({ status, changed }: Gmb): string | undefined =>
  changed ? (status === suspendedStatus ? classes.suspendedAndChanged : classes.changed) : undefined

/** The switches show a change before the server confirms it, which needs the list's `patch`. */
export function useGmbColumns(patch: PatchRow, edit: (gmb: Gmb) => void): GmbTableColumns {
  const setOwned = useGmbToggle(gmbsContract.toggleClientOwned, patch)
  const setLocation = useGmbToggle(gmbsContract.toggleClientLocation, patch)
  return [
    ...buildFieldColumns<typeof gmbFields, Gmb>(gmbFields, {
      title: {
        pinned: 'start',
        width: 192,
        cell: ({ id, title, address }) => (
          <>
            <RecordLink kind="listing" id={id}>
              {clippedTextCell(title)}
            </RecordLink>
            <span className={classes.town} data-town={findTown(address)} />
          </>
        ),
        plain: ({ title }) => title,
      },
      status: {
        width: 132,
        telling: true,
        cell: (gmb) => <span className={arrange.lines}>{renderListingStatus(gmb)}</span>,
      },
      changed: { width: 192, cell: (gmb) => (gmb.changed ? <ChangedCell gmb={gmb} /> : textCell(null)) },
      checked_at: { width: 100, cell: renderLastCheck },
      campaign_name: {
        key: 'campaign', // part of saved layouts
        width: 168,
        telling: true,
        cell: ({ campaign_id, campaign_name }) => (
          <RecordLink kind="campaign" id={campaign_id}>
            {clippedTextCell(campaign_name)}
          </RecordLink>
        ),
        plain: ({ campaign_name }) => campaign_name,
      },
      address: { width: 220, cell: ({ address }) => clippedTextCell(address) },
      website: { width: 180, cell: ({ website }) => renderSiteLink(website) },
      phone: { width: 176, cell: ({ phone }) => <PhoneCell phone={phone} /> },
      email: { width: 210, cell: ({ email }) => <EmailCell email={email} /> },
      recovery_email: {
        width: 210,
        cell: ({ recovery_email }) => <EmailCell email={recovery_email} what="recovery email" />,
      },
      link: { width: 190, cell: ({ link }) => renderSiteLink(link) },
      review_link: { width: 190, cell: ({ review_link }) => renderSiteLink(review_link) },
      client_owned: {
        width: 112,
        cell: ({ id, title, client_owned }) => (
          <CellSwitch
            label={`${title} is client owned`}
            on={client_owned}
            set={(on) => void setOwned({ params: { id }, body: { client_owned: on } })}
          />
        ),
      },
      is_client_location: {
        width: 124,
        cell: ({ id, title, is_client_location }) => (
          <CellSwitch
            label={`${title} is a client location`}
            on={is_client_location}
            set={(on) => void setLocation({ params: { id }, body: { is_client_location: on } })}
          />
        ),
      },
      notes: { width: 220 },
      updated_at: { width: 156, cell: ({ updated_at }) => instantCell(updated_at) },
    }),
    {
      key: 'actions',
      title: 'Actions',
      width: 164,
      pinned: 'end',
      cell: (gmb) => <GmbActions gmb={gmb} edit={edit} />,
    },
  ]
}

type PatchRow = ListState<typeof gmbsContract.list>['patch']
type ToggleEndpoint = typeof gmbsContract.toggleClientOwned | typeof gmbsContract.toggleClientLocation

/** Shows the change at once, reverts it on failure, and offers undo. */
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

/** Returns the town of `5776 Oak Ave, Tampa, FL 33602`: several listings of a client have the same title. */
const findTown = (address: string | null) => (address?.match(/^[^,]+,(?:[^,]+,)*\s*([^,]+), [A-Z]{2}\b/) ?? [])[1]

function ChangedCell({ gmb }: { gmb: Gmb }) {
  return (
    <span className={arrange.lines}>
      <span className={arrange.beside}>
        {renderBadge('warn', 'Changed')}
        {renderSince(gmb.changed_at)}
      </span>
      {gmb.changed_fields.length > 0 && <span className={classes.reason}>{gmb.changed_fields.join(', ')}</span>}
      <AcceptGmbButton gmb={gmb} />
    </span>
  )
}

/** Shows the time of the last check, and its outcome unless it is a plain success. */
function renderLastCheck({ checked_at, check_problem, check_asked_at, missed_at }: Gmb): ReactNode {
  if (check_asked_at) return renderBadge('info', 'Queued')
  const outcome = check_problem
    ? renderBadge('warn', 'Could not read')
    : missed_at && renderBadge('warn', 'Not found once')
  return (
    <span className={arrange.lines}>
      {checked_at ? instantCell(checked_at) : !outcome && renderQuietText('Not checked yet')}
      {outcome}
      {check_problem && (
        <span className={classes.reason} title={check_problem}>
          {check_problem}
        </span>
      )}
    </span>
  )
}
