import type { ReactNode } from 'react'
import { CellLink } from '#ui/cells/CellLink.tsx'
import { usePerson } from '#ui/data/person.ts'
import { buildRecordPath, type RecordKind, recordPages } from '../pages.ts'

type RecordLinkProps = { kind: RecordKind; id: number | null | undefined; label?: string; children: ReactNode }

/** To the page of a thing; plain for those who may not open such pages, and where there is no such thing. */
export function RecordLink({ kind, id, label, children }: RecordLinkProps) {
  const me = usePerson().subject
  if (!id || !recordPages[kind].allow(me)) return children
  return (
    <CellLink href={buildRecordPath(kind, id)} aria-label={label} title={label}>
      {children}
    </CellLink>
  )
}
