import { clippedTextCell } from '#ui/cells/cells.tsx'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { type Gmb, gmbLogFields, gmbsContract } from '../contract.ts'
import classes from './Gmbs.module.css'

const logColumns = buildFieldColumns(gmbLogFields, {
  username: { cell: ({ username }) => clippedTextCell(username ?? 'Check') },
})

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
      <ListFooter list={list} isBrief />
    </div>
  )
}
