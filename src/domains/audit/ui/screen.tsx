import { Button } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { FieldDefinition } from '#contract/field-definitions.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { campaignFields } from '#domains/campaigns/fields.ts'
import { clientFields } from '#domains/clients/fields.ts'
import { leadFields } from '#domains/leads/fields.ts'
import { gmbFields } from '#domains/listings/gmbs/fields.ts'
import { clientSiteFields } from '#domains/sites/client/fields.ts'
import { networkSiteFields } from '#domains/sites/network/fields.ts'
import { redirectDomainFields } from '#domains/sites/redirects/fields.ts'
import { renderBadge, textCell } from '#ui/cells/cells.tsx'
import { addMonths, getToday } from '#ui/cells/days.ts'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useApi } from '#ui/data/useApi.ts'
import { DateRangeFilter } from '#ui/filters/DateRangeFilter.tsx'
import { buildFilterControls, FilterBar, SearchFilter } from '#ui/filters/filters.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { useList } from '#ui/table/useList.ts'
import text from '#ui/theme/text.module.css'
import { type AuditEntry, auditLogContract } from '../contract.ts'
import { auditActionLabels, auditFields, auditFilters } from '../fields.ts'
import classes from './screen.module.css'

export default function AuditLogScreen() {
  const now = getToday(appConfig.timezone)
  const list = useList(auditLogContract.list, { start: { from: addMonths(now, -1), to: now } })
  const { data: kinds = [] } = useApi(auditLogContract.kinds, undefined, { kept: true })
  const looking = useDialog<AuditEntry>()
  const actions: TableColumn<AuditEntry> = {
    key: 'actions',
    title: 'Actions',
    width: 90,
    pinned: 'end',
    cell: (entry) => <IconButton label="Before and after" icon={IconColumns} onClick={() => looking.open(entry)} />,
  }
  const controls = buildFilterControls(auditFilters, {
    kind: kinds.map((kind) => ({ value: kind, label: capitalizeFirst(kind) })),
  })
  const { from, to } = list.filters
  return (
    <ScreenFrame
      title="Audit Trail"
      actions={
        <Button variant="default" component={Link} to="/admin/erasures">
          Erase a Person
        </Button>
      }
    >
      <FilterBar list={list}>
        <DateRangeFilter
          label="Date Range"
          from={from}
          to={to}
          set={(start, end) => list.setFilters({ from: start, to: end })}
          changed={list.isSet('from') || list.isSet('to')}
          clearable
        />
        {controls.user(list.filter('user'))}
        {controls.kind(list.filter('kind'))}
        {controls.action(list.filter('action'))}
        <RowIdFilter {...list.filter('row_id')} />
      </FilterBar>
      <DataTable
        table="audit"
        label="Audit Trail"
        list={list}
        columns={[...auditLogColumns, actions]}
        onOpen={looking.open}
      />
      <ListFooter table="audit" list={list} />
      {looking.subject && <AuditEntryDialog entry={looking.subject} opened={looking.opened} onClose={looking.close} />}
    </ScreenFrame>
  )
}

/** Filters by the id of a row, such as a lead's. */
function RowIdFilter({
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

const actionBadgeTypes = { created: 'ok', changed: 'info', removed: 'bad' } as const

const auditLogColumns = buildFieldColumns(auditFields, {
  username: {
    key: 'user',
    cell: ({ username, key_name }) => (
      <>
        {username ?? <i>System</i>} {key_name !== null && <span className={text.caption}>with the key {key_name}</span>}
      </>
    ),
  },
  kind: { cell: ({ kind }) => capitalizeFirst(kind) },
  row_id: { cell: ({ row_id }) => row_id },
  action: { cell: ({ action }) => renderBadge(actionBadgeTypes[action], auditActionLabels[action]) },
  fields: {
    cell: (entry) => (
      <span className={text.quiet}>
        {listChangedFields(entry)
          .map((field) => getAuditFieldTitle(entry.kind, field))
          .join(', ')}
      </span>
    ),
  },
})

const listChangedFields = ({ before, after }: AuditEntry) => [
  ...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]),
]

type AuditEntryDialogProps = { entry: AuditEntry; opened: boolean; onClose: () => void }

/** One entry: each field before and after, side by side. */
function AuditEntryDialog({ entry, opened, onClose }: AuditEntryDialogProps) {
  const { kind, at, username, key_name, action, request_id, version } = entry
  const { data: campaigns = [] } = useApi(campaignsContract.all, undefined, { quiet: true })
  const names = new Map(campaigns.map(({ id, name }) => [id, name]))
  const formatSide = (field: string, side: AuditEntry['before']) =>
    formatReference(field, side?.[field], names) ?? formatStoredValue(side?.[field])
  return (
    <ModalDialog opened={opened} onClose={onClose} title={getAuditEntryTitle(entry)} size="lg">
      <p className={text.intro}>
        {auditActionLabels[action]} by {username ?? 'System'}
        {key_name !== null && ` with the key ${key_name}`}, {formatInstant(at)}
        {version !== null && `, version ${version}`}
      </p>
      <PlainTable
        className={classes.sides}
        columns={[
          {
            title: 'Field',
            isName: true,
            cell: (field) => <span title={field}>{getAuditFieldTitle(kind, field)}</span>,
          },
          { title: 'Before', cell: (field) => formatSide(field, entry.before) },
          { title: 'After', cell: (field) => formatSide(field, entry.after) },
        ]}
        rows={listChangedFields(entry)}
        rowKey={(field) => field}
      />
      {request_id && <p className={text.intro}>Request {request_id}</p>}
    </ModalDialog>
  )
}

/** The number of these is that of their campaign. */
const kindsOfCampaign: ReadonlySet<string> = new Set(['statement', 'statement link'])

function getAuditEntryTitle({ kind, row_id, after }: AuditEntry): string {
  const name = capitalizeFirst(kind)
  if (!kindsOfCampaign.has(kind)) return `${name} ${row_id}`
  return `${[name, after?.number].filter(Boolean).join(' ')} of campaign No. ${row_id}`
}

/** Shows the stored value unformatted, because this page is for investigations. */
const formatStoredValue = (value: unknown) =>
  textCell(
    value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value, null, 1),
  )

type Labels = Partial<Record<string, Pick<FieldDefinition, 'label'>>>
const fieldsByKind: Partial<Record<string, Labels>> = {
  campaign: campaignFields,
  client: clientFields,
  lead: leadFields,
  listing: gmbFields,
  'client site': clientSiteFields,
  'network site': networkSiteFields,
  'redirect domain': redirectDomainFields,
}

/** Returns the form label of a stored field, or the field name in words. */
const getAuditFieldTitle = (kind: string, field: string): string =>
  fieldsByKind[kind]?.[field]?.label ?? capitalizeFirst(field.replace(/(.)_id$/, '$1').replaceAll('_', ' '))

const capitalizeFirst = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** Returns a reference as text, with a campaign's name if known; null if the value is not a reference. */
function formatReference(field: string, value: unknown, campaigns: ReadonlyMap<number, string>): string | null {
  if (typeof value !== 'number' || !field.endsWith('_id')) return null
  const name = field === 'campaign_id' ? campaigns.get(value) : undefined
  return name ? `${name} (No. ${value})` : `No. ${value}`
}
