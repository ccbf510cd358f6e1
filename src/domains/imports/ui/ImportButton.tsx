import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMe } from '#domains/access/ui/current-user.ts'
import { imports } from '../contract.ts'
import type { ImportKind } from '../labels.ts'

/** To the page where things like those of a list come in from a file; there for who may do that. */
export function ImportButton({ what }: { what: ImportKind }) {
  if (!imports.upload.allow(useMe())) return null
  return (
    <Button variant="default" renderRoot={(root) => <Link to="/import" search={{ what }} {...root} />}>
      Import
    </Button>
  )
}
