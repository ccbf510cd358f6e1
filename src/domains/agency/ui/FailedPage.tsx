import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ApiError } from '#ui/data/api.ts'
import { AgencyNotice } from './AgencyNotice.tsx'

/** What the server answers to a link that opens nothing, or nothing any more. */
const closedStatuses = [403, 404]

/** A page without sign-in that could not be read. `children` say what to do about a closed link; anything else is tried again. */
export function FailedPage({ error, title, children }: { error: ApiError; title: string; children: ReactNode }) {
  if (closedStatuses.includes(error.status)) return <AgencyNotice title={title}>{children}</AgencyNotice>
  return (
    <AgencyNotice title={title}>
      {error.status === 0 && <p>There is no connection to the server.</p>}
      <Button onClick={() => location.reload()}>Try again</Button>
    </AgencyNotice>
  )
}
