import { clippedTextCell, textCell } from '#ui/cells/cells.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { useList } from '#ui/table/useList.ts'
import { type Gmb, type GmbLog, gmbsContract } from '../contract.ts'
import classes from './Gmbs.module.css'

const logColumns: TableColumn<GmbLog, 'created_at'>[] = [
  {
    key: 'created_at',
    title: 'Created At',
    sort: 'created_at',
    width: 148,
    telling: true,
    cell: ({ created_at }) => formatInstant(created_at),
  },
  { key: 'changed', title: 'Changed', width: 140, telling: true, cell: ({ changed }) => textCell(changed) },
  { key: 'old', title: 'Old', cell: (log) => clippedTextCell(log.old) },
  { key: 'new', title: 'New', telling: true, cell: (log) => clippedTextCell(log.new) },
  { key: 'username', title: 'By', width: 120, cell: ({ username }) => clippedTextCell(username ?? 'Check') },
]

/** The changes of a listing, one row per field. */
export default function GmbLogsDialog({ gmb, onClose }: { gmb: Gmb; onClose: () => void }) {
  return (
    <ModalDialog opened onClose={onClose} title={`Logs of ${gmb.title}`} size="xl">
      <LogsTable id={gmb.id} />
    </ModalDialog>
  )
}

export function LogsTable({ id }: { id: number }) {
  const list = useList(gmbsContract.logs, { keep: 'here', params: { id } })
  return (
    <div className={classes.logs}>
      <DataTable label="Logs" list={list} columns={logColumns} />
      <ListFooter list={list} />
    </div>
  )
}
