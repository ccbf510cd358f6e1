import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import type { ImportKind } from '../labels.ts'
import { mayImport } from '../may-import.ts'

/** Links to the import page of a list's kind, for users who may import. */
export function ImportButton({ what }: { what: ImportKind }) {
  if (!mayImport(useCurrentUser())) return null
  return (
    <Button variant="default" renderRoot={(root) => <Link to="/import" search={{ what }} {...root} />}>
      Import
    </Button>
  )
}
