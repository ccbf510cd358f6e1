import type { ReactNode } from 'react'
import { CellLink } from '#ui/cells/CellLink.tsx'
import { usePerson } from '#ui/data/person.ts'
import { buildRecordPath, type RecordKind, recordPages } from '../pages.ts'

type RecordLinkProps = { kind: RecordKind; id: number | null | undefined; label?: string; children: ReactNode }

/** Links to the page of a record; plain for users who may not open such pages, and without an id. */
export function RecordLink({ kind, id, label, children }: RecordLinkProps) {
  const me = usePerson().subject
  if (!id || !recordPages[kind].allow(me)) return children
  return (
    <CellLink href={buildRecordPath(kind, id)} aria-label={label} title={label}>
      {children}
    </CellLink>
  )
}
