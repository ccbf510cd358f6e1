import type { Endpoint } from '#contract/endpoint.ts'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListPager } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { type pagedSiteLogs, siteLogFields } from '../contract.ts'
import classes from './StatusLogs.module.css'
import { renderSiteStatus } from './site-cells.tsx'

export type SiteLogsEndpoint = Endpoint<`GET /${string}/:id/logs`> & typeof pagedSiteLogs
type StatusLogsDialogProps = {
  call: SiteLogsEndpoint
  site: { id: number; url: string }
  opened: boolean
  onClose: () => void
}

/** The log of when a site went up and down. */
export function StatusLogsDialog({ site, opened, onClose, call }: StatusLogsDialogProps) {
  return (
    <ModalDialog opened={opened} onClose={onClose} title={`Status logs for ${site.url}`} size="md">
      <StatusLogsTable call={call} id={site.id} />
    </ModalDialog>
  )
}

export function StatusLogsTable({ call, id }: { call: SiteLogsEndpoint; id: number }) {
  const list = useList(call, { keep: 'here', params: { id } })
  return (
    <div className={classes.logs}>
      <DataTable label="Status logs" list={list} columns={statusLogColumns} />
      <ListPager list={list} />
    </div>
  )
}

const statusLogColumns = buildFieldColumns(siteLogFields, {
  status: { cell: (log) => renderSiteStatus({ ...log, checked_at: log.created_at }) },
})
