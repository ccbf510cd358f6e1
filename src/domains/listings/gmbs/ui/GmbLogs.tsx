import { Modal } from '@mantine/core'
import { clipped, text } from '#ui/cells/cells.tsx'
import { shownMoment } from '#ui/cells/timestamps.ts'
import { useFocusBack } from '#ui/layout/useFocusBack.ts'
import { type Column, DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { type Gmb, type GmbLog, gmbs } from '../contract.ts'
import classes from './Gmbs.module.css'

const columns: Column<GmbLog, 'created_at'>[] = [
  {
    key: 'created_at',
    title: 'Created At',
    sort: 'created_at',
    width: 148,
    cell: ({ created_at }) => shownMoment(created_at),
  },
  { key: 'changed', title: 'Changed', width: 140, cell: ({ changed }) => text(changed) },
  { key: 'old', title: 'Old', cell: (log) => clipped(log.old) },
  { key: 'new', title: 'New', cell: (log) => clipped(log.new) },
  { key: 'username', title: 'By', width: 120, cell: ({ username }) => clipped(username ?? 'Check') },
]

/** What became different about a listing, one line a field. */
export default function Logs({ gmb, onClose }: { gmb: Gmb; onClose: () => void }) {
  useFocusBack()
  return (
    <Modal opened onClose={onClose} title={`Logs of ${gmb.title}`} size="xl">
      <LogsTable id={gmb.id} />
    </Modal>
  )
}

function LogsTable({ id }: { id: number }) {
  const list = useList(gmbs.logs, { keep: 'here', params: { id } })
  return (
    <div className={classes.logs}>
      <DataTable label="Logs" list={list} columns={columns} />
      <ListFooter list={list} />
    </div>
  )
}
