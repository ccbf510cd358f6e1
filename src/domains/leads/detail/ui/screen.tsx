import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { LeadEditorProvider, useSavedEdits, useUndoStack } from '#domains/leads/list/ui/LeadEditing.tsx'
import { useLiveLead } from '#domains/leads/list/ui/live-leads.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { NotFoundPage } from '#ui/feedback/page-states.tsx'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { createLeadDesk, LeadDeskContext } from './desk-store.ts'
import classes from './LeadDesk.module.css'
import { LeadFacts, LeadSkeleton } from './LeadFacts.tsx'
import { LeadSections } from './LeadSections.tsx'
import { patchLeadDetail, useLeadDetail } from './lead-detail.ts'
import { useLeadKeys } from './lead-keys.ts'
import { usePaneKeys } from './pane-keys.ts'

const RelatedLeadsDialog = lazyComponent(() => import('#domains/leads/related/ui/RelatedLeads.tsx'))

/** A lead's own page: the pane without the list. */
export default function LeadScreen() {
  const me = useCurrentUser()
  // The page is used under several routes, all with only this parameter.
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  if (!/^[1-9]\d{0,8}$/.test(id)) return <NotFoundPage />
  return (
    me && (
      <LeadEditorProvider key={id} patch={patchLeadDetail} RelatedLeads={RelatedLeadsDialog}>
        <LeadPage me={me} id={Number(id)} />
      </LeadEditorProvider>
    )
  )
}

function LeadPage({ me, id }: { me: CurrentUserDto; id: number }) {
  const detail = useLeadDetail(id)
  const stack = useUndoStack()
  const whenSaved = useSavedEdits()
  const [desk] = useState(() => createLeadDesk(stack, whenSaved))
  const shortcuts = useLeadKeys(me, {
    title: 'Lead',
    view: 'page',
    patch: patchLeadDetail,
    undo: desk.undo,
    openPane: desk.open,
  })
  const lead = detail.data
  const mark = useLiveLead(lead, patchLeadDetail)
  const context = useMemo(() => ({ ...desk, openId: id, isBeside: true, shortcuts }), [desk, id, shortcuts])
  useEffect(() => desk.update({ openId: id, lead, select: () => undefined, isBeside: true, shortcuts }))
  usePaneKeys(desk, true, true)

  if (detail.error?.status === 404) return <NotFoundPage />
  return (
    <ScreenFrame title={lead ? (lead.lead_name ?? `Lead No. ${id}`) : 'Lead'}>
      <div ref={desk.setDesk} className={classes.page}>
        <aside ref={desk.setPane} className={arrange.framed} aria-label="Lead" tabIndex={-1} data-ringless>
          {lead ? (
            <LeadDeskContext value={context}>
              <LeadFacts me={me} lead={lead} detail={lead} mark={mark} patch={patchLeadDetail} isPage />
            </LeadDeskContext>
          ) : detail.error ? (
            <QueryError what="This lead" error={detail.error} retry={detail.refetch} />
          ) : (
            <LeadSkeleton />
          )}
        </aside>
        {lead && (
          <div className={arrange.framed}>
            <LeadSections me={me} lead={lead} detail={detail} patch={patchLeadDetail} />
          </div>
        )}
      </div>
    </ScreenFrame>
  )
}
