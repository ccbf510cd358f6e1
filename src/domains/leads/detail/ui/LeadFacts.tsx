import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { getReadableFields, getWritableFields, type Lead } from '#domains/leads/contract.ts'
import { hasSpamTag } from '#domains/leads/labels.ts'
import { AdminLeadActions, ArchiveLeadButton, UnarchiveLeadButton } from '#domains/leads/list/ui/cells/ActionCell.tsx'
import { LeadPhoneCell } from '#domains/leads/list/ui/cells/ContactCells.tsx'
import { EditFailureNotice } from '#domains/leads/list/ui/cells/EditFailureNotice.tsx'
import { MoneyInputCell, TextInputCell } from '#domains/leads/list/ui/cells/InlineInputs.tsx'
import { ProgressCell } from '#domains/leads/list/ui/cells/ProgressCell.tsx'
import { RatingCell } from '#domains/leads/list/ui/cells/RatingCell.tsx'
import { LeadTagsCell, LeadTagsList } from '#domains/leads/list/ui/cells/TagsCell.tsx'
import { KeyHint, VerifyButton } from '#domains/leads/list/ui/cells/VerifyButton.tsx'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { formatLeadTime } from '#domains/leads/list/ui/lead-time.ts'
import { recordingsContract } from '#domains/leads/recordings/contract.ts'
import { canManageSpam } from '#domains/leads/spam/allow.ts'
import { leadSpamContract } from '#domains/leads/spam/contract.ts'
import { renderBadge, renderExternalLink } from '#ui/cells/cells.tsx'
import { formatClock } from '#ui/cells/clock.ts'
import { formatDay } from '#ui/cells/days.ts'
import { EmailCell } from '#ui/cells/EmailCell.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { callApi } from '#ui/data/api.ts'
import { type RowMark, rowMarkLabels } from '#ui/data/saved-rows.ts'
import { SkeletonLines } from '#ui/feedback/Skeleton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { RecordingPlayer } from '#ui/layout/Player.tsx'
import { focusFirstControl } from '#ui/layout/restore-focus.ts'
import text from '#ui/theme/text.module.css'
import type { LeadDetail } from '../contract.ts'
import { useLeadDesk } from './desk-store.ts'
import classes from './LeadFacts.module.css'
import { useSpamActions } from './spam-actions.ts'

type LeadFactsProps = {
  me: CurrentUserDto
  lead: Lead
  /** Undefined while loading or after a failure. */
  detail: LeadDetail | undefined
  /** What someone else did to it while it was open. */
  mark: RowMark | undefined
  patch: PatchLead
  /** On the lead's page the name is the title. */
  isPage?: boolean
}

/** Everything a verdict needs: the verdict and what was said first, then the facts in two columns. */
export function LeadFacts({ me, lead, detail, mark, patch, isPage }: LeadFactsProps) {
  const readable = getReadableFields(me)
  const writable = getWritableFields(me)
  const desk = useLeadDesk()
  return (
    <div className={classes.facts}>
      <div className={`${arrange.rowNarrow} ${classes.who} ${arrange.skippedEmpty}`}>
        {!isPage && <h2>{lead.lead_name ?? 'No name'}</h2>}
        {lead.missed_call && renderBadge('warn', 'Missed')}
        {lead.confirmed === 1 && renderBadge('ok', 'Verified')}
        {lead.hide === 1 && renderBadge('neutral', 'Hidden')}
        {lead.archived === 1 && mark !== 'archived' && renderBadge('neutral', 'Archived')}
        <span role="status">{mark && renderBadge('info', rowMarkLabels[mark])}</span>
      </div>
      <div className={classes.verdict}>
        {writable.has('confirmed') && <VerifyButton lead={lead} hint="V" />}
        {leadSpamContract.mark.allow(me) && <SpamButtons lead={lead} patch={patch} mayBlock={canManageSpam(me)} />}
        <span className={arrange.atEnd}>
          {me.isAdmin ? (
            <AdminLeadActions lead={lead} patch={patch} isPane />
          ) : lead.archived === 1 ? (
            <UnarchiveLeadButton lead={lead} patch={patch} />
          ) : (
            <ArchiveLeadButton lead={lead} patch={patch} />
          )}
        </span>
      </div>
      <EditFailureNotice id={lead.id} field="confirmed" />
      <LeadContent lead={lead} detail={detail} />
      <dl className={classes.list}>
        <LabeledFact label="Phone">
          <LeadPhoneCell lead={lead} showFirstCalls={undefined} />
        </LabeledFact>
        <LabeledFact label="Campaign">
          {lead.campaign_name ? (
            <RecordLink kind="campaign" id={lead.campaign_id}>
              {lead.campaign_name}
            </RecordLink>
          ) : (
            'None'
          )}
        </LabeledFact>
        <LabeledFact label="Email">
          <EmailCell email={lead.lead_email} />
        </LabeledFact>
        <LabeledFact label="When">
          <span>
            {formatDay(lead.lead_date)} {formatLeadTime(lead, me.timezone)}
          </span>
          {me.timezone === null && detail?.client_time && (
            <span className={`${classes.more} ${text.quiet}`}>
              for the client {detail.client_time.date !== lead.lead_date && `${formatDay(detail.client_time.date)} `}
              {formatClock(detail.client_time.time)} {detail.client_time.zone}
            </span>
          )}
        </LabeledFact>
        <LabeledFact label="Type">
          <span>
            {[lead.lead_type, lead.answering_status, lead.source, lead.source_stated && `Stated: ${lead.source_stated}`]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </LabeledFact>
        <LabeledFact label="Location">{lead.lead_location ?? '–'}</LabeledFact>
        {readable.has('tags') && (
          <LabeledFact label="Tags">
            {writable.has('tags') ? <LeadTagsCell lead={lead} ref={desk?.setTags} /> : <LeadTagsList lead={lead} />}
          </LabeledFact>
        )}
        <LabeledFact label="Rating">
          <RatingCell lead={lead} />
        </LabeledFact>
        <LabeledFact label="Progress" isWide>
          <ProgressCell lead={lead} />
        </LabeledFact>
        <TypedFact label="Value" isEmpty={lead.client_value === null}>
          <MoneyInputCell lead={lead} field="client_value" label="Value" />
        </TypedFact>
        <TypedFact label="Profit" isEmpty={lead.client_profit === null}>
          <MoneyInputCell lead={lead} field="client_profit" label="Profit" />
        </TypedFact>
        <TypedFact label="Company" isEmpty={!lead.company_name}>
          <TextInputCell lead={lead} field="company_name" label="Company Name" />
        </TypedFact>
        {writable.has('notes') ? (
          <TypedFact label="Notes" isEmpty={!lead.notes} openerRef={desk?.setNotes}>
            <TextInputCell lead={lead} field="notes" label="Notes" isLong ref={desk?.setNotes} />
          </TypedFact>
        ) : (
          <LabeledFact label="Notes">
            <p className={classes.text}>{lead.notes ?? '–'}</p>
          </LabeledFact>
        )}
        <TypedFact label="Client notes" isEmpty={!lead.client_notes}>
          <TextInputCell lead={lead} field="client_notes" label="Client Notes" isLong />
        </TypedFact>
        {lead.keywords && <LabeledFact label="Keyword">{lead.keywords}</LabeledFact>}
        {lead.last_url && (
          <LabeledFact label="URL" isWide>
            {renderExternalLink(lead.last_url)}
          </LabeledFact>
        )}
      </dl>
    </div>
  )
}

/** The whole message of a form; the recording of a call. */
function LeadContent({ lead, detail }: Pick<LeadFactsProps, 'lead' | 'detail'>) {
  // Keeps the first URL: a new one, read after an edit, would restart the player.
  const [source, keep] = useState(detail?.recording_url)
  if (!source && detail?.recording_url) keep(detail.recording_url)
  const addressOf = async () => (await callApi(recordingsContract.get, { params: { id: lead.id } })).url
  return (
    <div className={classes.content}>
      {lead.lead_type === 'Call' &&
        (lead.recording ? (
          <RecordingPlayer
            length={lead.duration_formatted}
            addressOf={addressOf}
            source={source ?? null}
            // Reading the URL audits who played the recording.
            onPlayed={() => void addressOf().catch(() => undefined)}
          />
        ) : (
          <p className={text.quiet}>No recording</p>
        ))}
      {lead.message && <p className={classes.text}>{lead.message}</p>}
      {lead.lead_type === 'Form' && !lead.message && <p className={text.quiet}>No message</p>}
    </div>
  )
}

const boneWidths = ['45%', '70%', '60%', '55%', '80%', '100%', '65%', '40%']

/** A placeholder while a lead loads. */
export const LeadSkeleton = () => (
  <div className={classes.facts} role="status" aria-label="Loading">
    <SkeletonLines widths={boneWidths} />
  </div>
)

type FactProps = {
  label: string
  /** As wide as both columns. */
  isWide?: boolean
  children: ReactNode
}

/** A label with its value. */
function LabeledFact({ label, isWide, children }: FactProps) {
  return (
    <div className={classes.fact} data-wide={isWide}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type TypedFactProps = FactProps & { isEmpty: boolean; openerRef?: ((opener: HTMLElement | null) => void) | undefined }

/** A field to type in. While it is empty, a button stands for it. */
function TypedFact({ label, isEmpty, openerRef, children }: TypedFactProps) {
  const [isOpen, setOpen] = useState(false)
  if (!isEmpty || isOpen)
    return (
      <div ref={isOpen ? focusFirstControl : undefined} className={classes.fact}>
        <dt>{label}</dt>
        <dd>{children}</dd>
      </div>
    )
  return (
    <div className={classes.fact}>
      <dt className={text.unseen}>{label}</dt>
      <dd>
        <button ref={openerRef} type="button" className={classes.add} data-link onClick={() => setOpen(true)}>
          + {label}
        </button>
      </dd>
    </div>
  )
}

/** Buttons to mark the lead as spam, to undo that, and to block the sender. */
function SpamButtons({ lead, patch, mayBlock }: { lead: Lead; patch: PatchLead; mayBlock: boolean }) {
  const { mark, unmark } = useSpamActions(patch)
  const isSpam = hasSpamTag(lead)
  return (
    <>
      <Button
        size="compact-sm"
        variant={isSpam ? 'light' : 'default'}
        color={isSpam ? 'red' : undefined}
        aria-pressed={isSpam}
        rightSection={<KeyHint letter="S" />}
        onClick={() => void (isSpam ? unmark(lead) : mark(lead))}
      >
        Spam
      </Button>
      {!isSpam && mayBlock && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          title="Marks it as spam, and adds phone and email to the spammers"
          onClick={() => void mark(lead, true)}
        >
          Block sender
        </Button>
      )}
    </>
  )
}
