import { Button } from '@mantine/core'
import { useMe } from '#domains/access/ui/current-user.ts'
import type { InputArgs } from '../data/api.ts'
import { download, type FileCall, useDownloading } from '../data/download.tsx'

type Props<E extends FileCall> = { call: E; input: InputArgs<E>[0] }

/** Saves the file that a call answers. Not there for who may not have it. */
export function ExportButton<E extends FileCall>({ call, input }: Props<E>) {
  const running = useDownloading(call)
  if (!call.allow(useMe())) return null
  return (
    <Button variant="default" onClick={() => void download(call, ...([input] as InputArgs<E>))} loading={running}>
      Export
    </Button>
  )
}

type Listed<Filters, Sort> = { asked: Filters; sort?: Sort; order?: 'asc' | 'desc' }

/** What a list is asked for, and in which order: its file is asked for the same. */
export const askedOf = <Filters, Sort>({ asked, sort, order }: Listed<Filters, Sort>) => ({ ...asked, sort, order })
