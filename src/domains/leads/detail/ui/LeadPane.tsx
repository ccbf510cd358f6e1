import { IconChevronDown, IconChevronUp, IconExternalLink, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { getLeadName } from '#domains/leads/lead-name.ts'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { useLiveLead } from '#domains/leads/list/ui/live-leads.ts'
import type { RowMark } from '#ui/data/saved-rows.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { useLeadDesk } from './desk-store.ts'
import classes from './LeadDesk.module.css'
import { LeadFacts, LeadSkeleton } from './LeadFacts.tsx'
import { LeadSections } from './LeadSections.tsx'
import { useLeadDetail } from './lead-detail.ts'

type LeadPaneProps = {
  me: CurrentUserDto
  id: number
  /** Its row in the list, if it has one: edits here show there. */
  row: Lead | undefined
  /** Its position in the list. */
  place: string
  /** What someone else did to it. */
  mark: RowMark | undefined
  patch: PatchLead
  /** The pane covers the list, which cannot have the focus. */
  takesFocus: boolean
  hasNext: boolean
  hasPrevious: boolean
  onClose: () => void
}

/** The open lead beside the list. */
export function LeadPane({ me, id, row, place, mark, patch, takesFocus, ...rest }: LeadPaneProps) {
  const detail = useLeadDetail(id)
  const lead = row ?? detail.data
  const ownMark = useLiveLead(row ? undefined : detail.data, patch)
  const desk = useLeadDesk()
  useEffect(() => {
    if (takesFocus) desk?.get().pane?.focus({ preventScroll: true })
  }, [takesFocus, desk])
  const isThere = lead !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per lead.
  useEffect(() => {
    if (!isThere) return
    desk?.get().pane?.scrollTo(0, 0)
    desk?.focusPart()
  }, [id, isThere])
  return (
    <aside
      ref={desk?.setPane}
      className={classes.pane}
      data-ringless
      data-unprinted
      aria-label={`Lead ${lead ? getLeadName(lead) : `No. ${id}`}`}
      tabIndex={-1}
    >
      <header className={classes.bar}>
        <IconButton
          label="Previous lead"
          icon={IconChevronUp}
          disabled={!rest.hasPrevious}
          onClick={() => desk?.move(-1)}
        />
        <IconButton label="Next lead" icon={IconChevronDown} disabled={!rest.hasNext} onClick={() => desk?.move(1)} />
        <span className={classes.place}>{place}</span>
        <Link to="/lead/$id" params={{ id: String(id) }} className={classes.link}>
          Open page
          <IconExternalLink size={14} aria-hidden="true" />
        </Link>
        <IconButton label="Close" icon={IconX} onClick={rest.onClose} />
      </header>
      {lead ? (
        <>
          <LeadFacts
            key={`facts ${id}`}
            me={me}
            lead={lead}
            detail={detail.data}
            mark={mark ?? ownMark}
            patch={patch}
          />
          <LeadSections key={`sections ${id}`} me={me} lead={lead} detail={detail} patch={patch} />
        </>
      ) : detail.error ? (
        <QueryError
          what="This lead"
          error={
            detail.error.status === 404 ? new Error('This lead does not exist, or you cannot see it') : detail.error
          }
          retry={detail.refetch}
        />
      ) : (
        <LeadSkeleton />
      )}
    </aside>
  )
}
