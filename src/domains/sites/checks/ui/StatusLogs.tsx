import { Modal } from '@mantine/core'
import type { Endpoint } from '#contract/endpoint.ts'
import { shownMoment } from '#ui/cells/timestamps.ts'
import { useFocusBack } from '#ui/layout/useFocusBack.ts'
import { type Column, DataTable } from '#ui/table/DataTable.tsx'
import { Pager } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import type { SiteLog, siteLogs } from '../contract.ts'
import classes from './StatusLogs.module.css'
import { status } from './site-cells.tsx'

export type LogsOfSite = Endpoint<`GET /${string}/:id/logs`> & typeof siteLogs
type Props = { call: LogsOfSite; site: { id: number; url: string }; opened: boolean; onClose: () => void }

/** When a site went up and down. */
export function StatusLogs({ site, opened, onClose, call }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Status logs for ${site.url}`} size="md">
      <Logs call={call} id={site.id} />
    </Modal>
  )
}

function Logs({ call, id }: { call: LogsOfSite; id: number }) {
  useFocusBack()
  const list = useList(call, { keep: 'here', params: { id } })
  return (
    <div className={classes.logs}>
      <DataTable label="Status logs" list={list} columns={columns} />
      <Pager list={list} />
    </div>
  )
}

const columns: Column<SiteLog, 'created_at'>[] = [
  { key: 'created_at', title: 'Time', sort: 'created_at', cell: (log) => shownMoment(log.created_at) },
  { key: 'status', title: 'Status', width: 120, cell: (log) => status({ ...log, checked_at: log.created_at }) },
]
