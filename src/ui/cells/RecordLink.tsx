import { IconFileInfo } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { buildRecordPath, type RecordKind, recordPaths } from '#contract/record-paths.ts'
import { usePageAccess } from '../data/page-access.ts'
import { CellLink } from './CellLink.tsx'
import classes from './cells.module.css'

type RecordLinkProps = {
  kind: RecordKind
  id: number | null | undefined
  label?: string
  tabIndex?: 0 | -1
  children: ReactNode
}

/** Links to the page of a record; plain for users who may not open such pages, and without an id. */
export function RecordLink({ kind, id, label, tabIndex, children }: RecordLinkProps) {
  const mayOpen = usePageAccess()
  if (!id || !mayOpen(recordPaths[kind])) return children
  return (
    <CellLink href={buildRecordPath(kind, id)} aria-label={label} title={label} tabIndex={tabIndex}>
      {children}
    </CellLink>
  )
}

/** Links to the page of a record with an icon, next to a link of the same name that leads elsewhere; nothing for users who may not open it. */
export function RecordIconLink({ kind, id, label }: { kind: RecordKind; id: number; label: string }) {
  return (
    <RecordLink kind={kind} id={id} label={label}>
      <IconFileInfo size={14} aria-hidden="true" className={classes.recordIcon} data-unprinted />
    </RecordLink>
  )
}
