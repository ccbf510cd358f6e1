import { Modal } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { badge, text } from '#ui/cells/cells.tsx'
import { addMonths, today } from '#ui/cells/days.ts'
import { shownMoment } from '#ui/cells/timestamps.ts'
import { environment } from '#ui/data/environment.ts'
import { useApi } from '#ui/data/useApi.ts'
import { DateRangeFilter } from '#ui/filters/DateRangeFilter.tsx'
import { FilterBar, SearchFilter, select } from '#ui/filters/filters.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type Column, DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { type SortOf, useList } from '#ui/table/useList.ts'
import { type AuditEntry, auditActions, auditTrail } from '../contract.ts'
import classes from './screen.module.css'

export default function AuditTrail() {
  const now = today(environment.timezone)
  const list = useList(auditTrail.list, { start: { from: addMonths(now, -1), to: now } })
  const { data: kinds = [] } = useApi(auditTrail.kinds, undefined, { kept: true })
  const looking = useDialog<AuditEntry>()
  const actions: Column<AuditEntry> = {
    key: 'actions',
    title: 'Actions',
    width: 90,
    pinned: 'end',
    cell: (entry) => (
      <IconButton label="Before and after" onClick={() => looking.open(entry)}>
        <IconColumns size={16} aria-hidden="true" />
      </IconButton>
    ),
  }
  const { from, to } = list.filters
  return (
    <Screen title="Audit Trail">
      <FilterBar list={list}>
        <DateRangeFilter
          label="Date Range"
          from={from}
          to={to}
          set={(start, end) => list.setFilters({ from: start, to: end })}
          changed={list.isSet('from') || list.isSet('to')}
          clearable
        />
        <SearchFilter label="Person" {...list.filter('user')} />
        {select(
          'Kind',
          kinds.map((kind) => ({ value: kind, label: inTitleCase(kind) })),
        )(list.filter('kind'))}
        {select(
          'Action',
          auditActions.map((action) => ({ value: action, label: inTitleCase(action) })),
        )(list.filter('action'))}
        <RowFilter {...list.filter('row_id')} />
      </FilterBar>
      <DataTable table="audit" label="Audit Trail" list={list} columns={[...columns, actions]} onOpen={looking.open} />
      <ListFooter table="audit" list={list} />
      {looking.subject && <BeforeAndAfter entry={looking.subject} opened={looking.opened} onClose={looking.close} />}
    </Screen>
  )
}

/** The number of one row, such as a lead's. */
function RowFilter({
  name,
  value,
  set,
}: {
  name: string
  value: number | undefined
  set: (value: number | undefined) => void
}) {
  const say = (typed: string | undefined) => set(typed && /^\d{1,9}$/.test(typed) ? Number(typed) : undefined)
  return <SearchFilter label="Number" name={name} value={value === undefined ? undefined : String(value)} set={say} />
}

const kindsOfAction = { created: 'ok', changed: 'info', removed: 'bad' } as const

const columns: Column<AuditEntry, SortOf<typeof auditTrail.list>>[] = [
  { key: 'at', title: 'Time', sort: 'at', width: 150, pinned: 'start', cell: ({ at }) => shownMoment(at) },
  { key: 'user', title: 'Person', width: 150, cell: ({ username }) => username ?? <i>Leadline itself</i> },
  { key: 'kind', title: 'Kind', width: 150, cell: ({ kind }) => inTitleCase(kind) },
  { key: 'row_id', title: 'Number', width: 90, align: 'end', cell: ({ row_id }) => row_id },
  {
    key: 'action',
    title: 'Action',
    width: 110,
    cell: ({ action }) => badge(kindsOfAction[action], inTitleCase(action)),
  },
  {
    key: 'fields',
    title: 'Fields',
    cell: (entry) => <span className={classes.fields}>{fieldsOf(entry).join(', ')}</span>,
  },
  { key: 'address', title: 'Address', width: 130, cell: ({ address }) => text(address) },
]

const fieldsOf = ({ before, after }: AuditEntry) => [
  ...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]),
]
const inTitleCase = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

type Props = { entry: AuditEntry; opened: boolean; onClose: () => void }

/** One entry: each field as it was and as it became, side by side. */
function BeforeAndAfter({ entry, opened, onClose }: Props) {
  const { kind, row_id, at, username, action, request_id, version } = entry
  return (
    <Modal opened={opened} onClose={onClose} title={`${inTitleCase(kind)} ${row_id}`} size="lg">
      <p className={classes.about}>
        {inTitleCase(action)} by {username ?? 'Leadline itself'}, {shownMoment(at)}
        {version !== null && `, version ${version}`}
      </p>
      <table className={classes.sides}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {fieldsOf(entry).map((field) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td>{shown(entry.before?.[field])}</td>
              <td>{shown(entry.after?.[field])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {request_id && <p className={classes.about}>Request {request_id}</p>}
    </Modal>
  )
}

/** As it is stored: this page is for finding out, so nothing is made prettier than it is. */
const shown = (value: unknown) =>
  text(
    value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value, null, 1),
  )
