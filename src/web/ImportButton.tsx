import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { imports } from '#domains/imports/contract.ts'
import type { ImportKind } from '#domains/imports/words.ts'
import { useMe } from './me.ts'

/** To the page where things like those of a list come in from a file; there for who may do that. */
export function ImportButton({ what }: { what: ImportKind }) {
  if (!imports.upload.allow(useMe())) return null
  return (
    <Button variant="default" renderRoot={(root) => <Link to="/import" search={{ what }} {...root} />}>
      Import
    </Button>
  )
}
