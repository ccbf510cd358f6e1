import { type ReactNode, Suspense } from 'react'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { parseWholeNumber } from '#ui/table/list-address.ts'
import type { NextSubject } from './SetupSteps.tsx'

const SetupSteps = lazyComponent(() => import('./SetupSteps.tsx'))

/** Shows the next steps after creating a client, a campaign or a site. They are in the address, so that a reload keeps them. */
export function useNextSteps(): { nextSteps: ReactNode; showNextSteps: (next: NextSubject | null) => void } {
  const [{ next }, write] = useSearchParams()
  const subject = parseSubject(next)
  const showNextSteps = (to: NextSubject | null) =>
    write(({ next: _, ...rest }) => (to ? { ...rest, next: formatSubject(to) } : rest), true)
  return {
    showNextSteps,
    nextSteps: subject && (
      <Suspense>
        <SetupSteps subject={subject} show={showNextSteps} />
      </Suspense>
    ),
  }
}

const formatSubject = ({ of, id, isNew }: NextSubject) => `${isNew ? 'new-' : ''}${of}-${id}`

function parseSubject(next: string | undefined): NextSubject | null {
  const [, isNew, of, digits] = /^(new-)?(client|campaign)-(\d+)$/.exec(next ?? '') ?? []
  const id = parseWholeNumber(digits, 2_147_483_647)
  return id === undefined ? null : { of: of === 'client' ? 'client' : 'campaign', id, isNew: isNew !== undefined }
}
