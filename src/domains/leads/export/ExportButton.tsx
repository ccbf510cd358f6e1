import { Button } from '@mantine/core'
import { useState } from 'react'
import { download } from '#web/download.tsx'
import type { LeadsList } from '../screen.tsx'
import type { LeadColumn } from '../words.ts'
import { leadExport } from './contract.ts'

type Props = { list: LeadsList; columns: readonly { key: string }[]; hidden: ReadonlySet<string> }

/** Saves exactly the filtered list, in its order, with the columns that are shown. */
export function ExportButton({ list, columns, hidden }: Props) {
  const [running, setRunning] = useState(false)
  const shown = columns.map((column) => column.key).filter((key) => !hidden.has(key)) as LeadColumn[] // the table's keys are these

  async function save() {
    setRunning(true)
    await download(leadExport.csv, 'leads.csv', {
      body: { ...list.asked, sort: list.sort, order: list.order, columns: shown },
    })
    setRunning(false)
  }
  return (
    <Button variant="default" onClick={() => void save()} loading={running}>
      Export
    </Button>
  )
}
