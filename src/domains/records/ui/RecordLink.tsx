import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { type RecordKind, recordPages } from '../pages.ts'

type RecordLinkProps = { kind: RecordKind; id: number | null | undefined; label?: string; children: ReactNode }

/** To the page of a thing; plain for those who may not open such pages, and where there is no such thing. */
export function RecordLink({ kind, id, label, children }: RecordLinkProps) {
  const me = useCurrentUser()
  if (!id || !recordPages[kind].allow(me ?? null)) return children
  return (
    <Link to={recordPages[kind].path} params={{ id: String(id) }} aria-label={label} title={label}>
      {children}
    </Link>
  )
}
