import { Button } from '@mantine/core'
import type { CallArgs } from '../data/api.ts'
import { downloadFile, type FileEndpoint, useIsDownloading } from '../data/download.tsx'
import { usePerson } from '../data/person.ts'

type ExportButtonProps<E extends FileEndpoint> = { call: E; input: CallArgs<E>[0]; label?: string }

/** A button that saves the file of a call; not shown to users who may not make it. */
export function ExportButton<E extends FileEndpoint>({ call, input, label = 'Export' }: ExportButtonProps<E>) {
  const running = useIsDownloading(call)
  if (!call.allow(usePerson().subject)) return null
  return (
    <Button variant="default" onClick={() => void downloadFile(call, ...([input] as CallArgs<E>))} loading={running}>
      {label}
    </Button>
  )
}

type ExportableList<Filters, Sort> = { sent: Filters; sort?: Sort; order?: 'asc' | 'desc' }

/** Returns the filters and the order of a list, so that its file has the same rows. */
export const getExportQuery = <Filters, Sort>({ sent, sort, order }: ExportableList<Filters, Sort>) => ({
  ...sent,
  sort,
  order,
})
