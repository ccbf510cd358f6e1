import { Button } from '@mantine/core'
import { download, useDownloading } from '#web/download.tsx'
import type { LeadsList } from '../screen.tsx'
import type { LeadColumn } from '../words.ts'
import { leadExport } from './contract.ts'

type Props = { list: LeadsList; columns: readonly { key: string }[]; hidden: ReadonlySet<string> }

const file = 'leads.csv'

/** Saves exactly the filtered list, in its order, with the columns that are shown. */
export function ExportButton({ list, columns, hidden }: Props) {
  const running = useDownloading(file)
  const shown = columns.map((column) => column.key).filter((key) => !hidden.has(key)) as LeadColumn[] // the table's keys are these
  const body = { ...list.asked, sort: list.sort, order: list.order, columns: shown }
  return (
    <Button variant="default" onClick={() => void download(leadExport.csv, file, { body })} loading={running}>
      Export
    </Button>
  )
}
