import type { Person } from '#contract/allow.ts'
import { type Lead, type LeadSort, readableFields, writableFields } from '#domains/leads/contract.ts'
import { type LeadColumn, leadColumns, leadColumnTitles } from '#domains/leads/labels.ts'
import { related } from '#domains/leads/related/contract.ts'
import { clipped, date, external, text, time } from '#ui/cells/cells.tsx'
import { shownDay } from '#ui/cells/days.ts'
import type { Column, Tint } from '#ui/table/DataTable.tsx'
import { AdminActions, Archive, Unarchive } from './cells/ActionCell.tsx'
import { EmailCell, PhoneCell } from './cells/ContactCells.tsx'
import cells from './cells/cells.module.css'
import { MoneyCell, TextCell } from './cells/InlineInputs.tsx'
import { MessageCell } from './cells/MessageCell.tsx'
import { ProgressCell } from './cells/ProgressCell.tsx'
import { RatingCell } from './cells/RatingCell.tsx'
import { RelatedButton } from './cells/RelatedButton.tsx'
import { SwitchCell } from './cells/SwitchCell.tsx'
import { Tags, TagsCell } from './cells/TagsCell.tsx'
import type { Patch } from './lead-mutations.ts'

type Means = {
  /** Related views have no filters to apply, and open no further ones. */
  view: 'list' | 'archive' | 'related'
  showFirstCalls?: () => void
  patch: Patch
}
type Definition = Pick<Column<Lead, LeadSort>, 'cell' | 'sort' | 'align' | 'pinned' | 'plain'> & { width: number }

/** The columns that this person reads, in their order, with the controls that they may use. */
export function leadColumnsFor(me: Person, means: Means): Column<Lead, LeadSort>[] {
  const readable = readableFields(me)
  const definitions = define(me, means)
  return leadColumns
    .filter((key) => key === 'action' || (key === 'related' ? means.view !== 'related' : readable.has(key)))
    .map((key) => ({ key, title: leadColumnTitles[key], ...definitions[key] }))
}

function define(me: Person, { view, showFirstCalls, patch }: Means): Record<LeadColumn, Definition> {
  const writable = writableFields(me)
  const isAdmin = me.isAdmin || me.isSuperAdmin
  const seesRelated = related.ofLead.allow(me)
  const plain = (field: PlainField, width: number): Definition => ({ width, cell: (lead) => clipped(lead[field]) })

  return {
    campaign_name: { ...plain('campaign_name', 160), sort: 'campaign_name' },
    lead_date: {
      width: 104,
      sort: 'lead_date',
      cell: when,
      plain: ({ lead_date, lead_time }) => `${shownDay(lead_date)} ${lead_time.slice(0, 5)}`,
    },
    lead_type: { width: 88, sort: 'lead_type', cell: kind },
    tracking_phone_number: plain('tracking_phone_number', 136),
    tracking_source: plain('tracking_source', 136),
    lead_name: { ...plain('lead_name', 152), sort: 'lead_name' },
    lead_location: { ...plain('lead_location', 144), sort: 'lead_location' },
    lead_email: { width: 208, sort: 'lead_email', cell: (lead) => <EmailCell lead={lead} /> },
    lead_phone: {
      width: 160,
      sort: 'lead_phone',
      cell: (lead) => <PhoneCell lead={lead} showFirstCalls={showFirstCalls} />,
    },
    message: {
      width: 392,
      sort: 'duration',
      cell: (lead) => <MessageCell lead={lead} />,
      plain: ({ message, duration_formatted }) => message ?? duration_formatted ?? '',
    },
    related: {
      width: 128,
      cell: (lead) => (lead.has_related && seesRelated ? <RelatedButton lead={lead} /> : text(null)),
    },
    notes: {
      width: 208,
      cell: (lead) =>
        writable.has('notes') ? <TextCell lead={lead} field="notes" label="Notes" isLong /> : clipped(lead.notes),
    },
    tags: {
      width: 184,
      cell: (lead) => (writable.has('tags') ? <TagsCell lead={lead} /> : <Tags lead={lead} />),
      plain: ({ tags }) => tags?.map(({ name }) => name).join(', ') ?? '',
    },
    confirmed: {
      width: 96,
      sort: 'confirmed',
      cell: (lead) =>
        writable.has('confirmed') ? (
          <SwitchCell lead={lead} field="confirmed" label="Verified" />
        ) : (
          yesOrNo(lead.confirmed)
        ),
    },
    changers: { width: 136, cell: (lead) => clipped(lead.changers?.map(({ username }) => username).join(', ')) },
    client_progress: { width: 320, sort: 'client_progress', cell: (lead) => <ProgressCell lead={lead} /> },
    company_name: { width: 176, cell: (lead) => <TextCell lead={lead} field="company_name" label="Company Name" /> },
    client_notes: {
      width: 208,
      cell: (lead) => <TextCell lead={lead} field="client_notes" label="Client Notes" isLong />,
    },
    client_value: {
      width: 112,
      align: 'end',
      sort: 'client_value',
      cell: (lead) => <MoneyCell lead={lead} field="client_value" label="Value" />,
    },
    client_profit: {
      width: 112,
      align: 'end',
      sort: 'client_profit',
      cell: (lead) => <MoneyCell lead={lead} field="client_profit" label="Profit" />,
    },
    rating: {
      width: 208,
      sort: 'rating',
      cell: (lead) => <RatingCell lead={lead} />,
      plain: ({ rating }) => rating ?? '',
    },
    last_url: { width: 208, cell: (lead) => external(lead.last_url) },
    referrer: { width: 208, cell: (lead) => external(lead.referrer) },
    source: { ...plain('source', 152), sort: 'source' },
    keywords: plain('keywords', 144),
    gclid: plain('gclid', 144),
    hide: { width: 88, cell: (lead) => <SwitchCell lead={lead} field="hide" label="Is Hidden" /> },
    action: {
      width: isAdmin ? 212 : 112,
      pinned: 'end',
      cell: (lead) =>
        isAdmin ? (
          <AdminActions lead={lead} patch={patch} />
        ) : view === 'archive' ? (
          <Unarchive lead={lead} patch={patch} />
        ) : (
          <Archive lead={lead} patch={patch} />
        ),
    },
  }
}

type PlainField =
  | 'campaign_name'
  | 'tracking_phone_number'
  | 'tracking_source'
  | 'lead_name'
  | 'lead_location'
  | 'source'
  | 'keywords'
  | 'gclid'

function when(lead: Lead) {
  return (
    <>
      {date(lead.lead_date)}
      <div className={cells.time}>{time(lead.lead_time)}</div>
    </>
  )
}

/** A missed call says so here: not everybody reads the tag. */
function kind(lead: Lead) {
  return (
    <>
      {lead.lead_type}
      {lead.missed_call && <div className={cells.time}>Missed</div>}
    </>
  )
}

const yesOrNo = (on: 0 | 1) => text(on === 1 ? 'Yes' : 'No')

/** The switch, the word or the tag says the same. */
export const tint = (lead: Lead): Tint | undefined => {
  if (lead.confirmed === 1) return 'verified'
  return lead.missed_call ? 'missed' : undefined
}
