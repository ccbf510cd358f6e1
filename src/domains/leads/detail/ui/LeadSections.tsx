import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { HistoryChanges } from '#domains/leads/history/ui/Changes.tsx'
import {
  describeNoEvents,
  describeNoMails,
  EventHistory,
  MailHistory,
  RatingHistory,
} from '#domains/leads/history/ui/Lines.tsx'
import { getLeadName } from '#domains/leads/lead-name.ts'
import { useOpenLeadDialog } from '#domains/leads/list/ui/LeadDialogs.tsx'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { formatLeadTime } from '#domains/leads/list/ui/lead-time.ts'
import { renderBadge } from '#ui/cells/cells.tsx'
import { formatDay } from '#ui/cells/days.ts'
import type { ApiError } from '#ui/data/api.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { CountedSection } from '#ui/layout/CountedSection.tsx'
import text from '#ui/theme/text.module.css'
import type { LeadDetail } from '../contract.ts'
import { LeadSkeleton } from './LeadFacts.tsx'
import classes from './LeadSections.module.css'

type LeadSectionsProps = {
  me: CurrentUserDto
  lead: Lead
  detail: UseQueryResult<LeadDetail, ApiError>
  patch: PatchLead
}

/** The related leads and the history of a lead. */
export function LeadSections({ me, lead, detail: { data, error, refetch }, patch }: LeadSectionsProps) {
  if (!data) return error ? <QueryError what="The history" error={error} retry={refetch} /> : <LeadSkeleton />
  const { related, history } = data
  return (
    <div className={classes.sections}>
      {related && (
        <CountedSection
          heading="h2"
          title="Related"
          count={related.meta.total}
          none="No other lead has this phone or email."
        >
          <RelatedLinks me={me} lead={lead} related={related} />
        </CountedSection>
      )}
      {history && (
        <>
          <CountedSection heading="h2" title="Emails" count={history.mails.length} none={describeNoMails(history)}>
            <MailHistory leadId={lead.id} mails={history.mails} />
          </CountedSection>
          <CountedSection
            heading="h2"
            title="Ratings"
            count={history.ratings.length}
            none="The client hasn’t rated this lead."
          >
            <RatingHistory ratings={history.ratings} mails={history.mails} />
          </CountedSection>
          <CountedSection
            heading="h2"
            title="History"
            count={history.changes.length}
            none="Nothing has been changed yet."
          >
            {/* A new version resets the list: restoring a value names the version that was seen. */}
            <HistoryChanges key={lead.version} changes={history.changes} lead={lead} patch={patch} />
          </CountedSection>
          <CountedSection heading="h2" title="Events" count={history.events.length} none={describeNoEvents(history)}>
            <EventHistory events={history.events} />
          </CountedSection>
        </>
      )}
    </div>
  )
}

type RelatedLinksProps = { me: CurrentUserDto; lead: Lead; related: NonNullable<LeadDetail['related']> }

function RelatedLinks({ me, lead, related }: RelatedLinksProps) {
  const openDialog = useOpenLeadDialog()
  const { data, meta } = related
  return (
    <>
      <ul className={`${classes.related} ${text.dense} ${arrange.ruled}`}>
        {data.map((other) => (
          <li key={other.id}>
            <Link to="/lead/$id" params={{ id: String(other.id) }}>
              {getLeadName(other)}
            </Link>
            <span className={text.quiet}>
              {other.lead_type} · {formatDay(other.lead_date)} {formatLeadTime(other, me.timezone)}
            </span>
            {other.confirmed === 1 && renderBadge('ok', 'Verified')}
            {other.archived === 1 && renderBadge('neutral', 'Archived')}
          </li>
        ))}
      </ul>
      {meta.total > data.length && (
        <button type="button" className={classes.all} onClick={() => openDialog('related', lead)}>
          All {meta.total.toLocaleString('en-US')}
        </button>
      )}
    </>
  )
}
