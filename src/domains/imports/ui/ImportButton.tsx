import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { importsContract } from '../contract.ts'
import type { ImportKind } from '../labels.ts'

/** To the page where things like those of a list come in from a file; there for who may do that. */
export function ImportButton({ what }: { what: ImportKind }) {
  if (!importsContract.upload.allow(useCurrentUser())) return null
  return (
    <Button variant="default" renderRoot={(root) => <Link to="/import" search={{ what }} {...root} />}>
      Import
    </Button>
  )
}
