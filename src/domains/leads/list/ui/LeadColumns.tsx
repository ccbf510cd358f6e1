import type { AccessSubject } from '#contract/allow.ts'
import { getReadableFields, getWritableFields, type Lead, type LeadSort } from '#domains/leads/contract.ts'
import { type LeadColumn, leadColumns, leadColumnTitles, leadFields } from '#domains/leads/fields.ts'
import { relatedLeadsContract } from '#domains/leads/related/contract.ts'
import { clippedTextCell, dateCell, nameCell, renderExternalLink, textCell, timeCell } from '#ui/cells/cells.tsx'
import { formatDay } from '#ui/cells/days.ts'
import { EmailCell } from '#ui/cells/EmailCell.tsx'
import { renderPhone } from '#ui/cells/PhoneCell.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import type { RowTint, TableColumn } from '#ui/table/table-column.ts'
import text from '#ui/theme/text.module.css'
import { AdminLeadActions, ArchiveLeadButton, UnarchiveLeadButton } from './cells/ActionCell.tsx'
import { LeadPhoneCell } from './cells/ContactCells.tsx'
import classes from './cells/cells.module.css'
import { MoneyInputCell, TextInputCell } from './cells/InlineInputs.tsx'
import { MessageCell } from './cells/MessageCell.tsx'
import { ProgressCell } from './cells/ProgressCell.tsx'
import { RatingCell } from './cells/RatingCell.tsx'
import { LeadSwitchCell } from './cells/SwitchCell.tsx'
import { LeadTagsCell, LeadTagsList } from './cells/TagsCell.tsx'
import { useOpenLeadDialog } from './LeadDialogs.tsx'
import type { PatchLead } from './lead-mutations.ts'
import { formatLeadTime } from './lead-time.ts'

/** A client reads times in its own zone, which is shown. */
type LeadColumnReader = AccessSubject & { timezone: string | null }

type LeadColumnOptions = {
  /** Related views have no filters and open no further related views. */
  view: 'list' | 'archive' | 'related'
  showFirstCalls?: () => void
  patch: PatchLead
}
type PickedKeys = 'cell' | 'align' | 'unprinted' | 'plain' | 'telling' | 'grows'
type ColumnDefinition = Pick<TableColumn<Lead, LeadSort>, PickedKeys> & { width: number }

/** Returns the columns that this person may read, in order, with the controls that they may use. */
export function buildLeadColumns(me: LeadColumnReader, means: LeadColumnOptions): TableColumn<Lead, LeadSort>[] {
  const readable = getReadableFields(me)
  const definitions = defineColumns(me, means)
  return leadColumns
    .filter((key) => key === 'action' || (key === 'related' ? means.view !== 'related' : readable.has(key)))
    .map((key) => ({
      key,
      title: leadColumnTitles[key],
      group: findColumnGroup(key),
      sort: getSortName(key),
      ...definitions[key],
    }))
}

const answerColumns: readonly LeadColumn[] = [
  'client_progress',
  'company_name',
  'client_notes',
  'client_value',
  'client_profit',
  'rating',
]
const trackingColumns: readonly LeadColumn[] = [
  'tracking_phone_number',
  'tracking_source',
  'last_url',
  'referrer',
  'source',
  'keywords',
  'gclid',
]
const findColumnGroup = (column: LeadColumn) =>
  answerColumns.includes(column) ? 'Client’s answer' : trackingColumns.includes(column) ? 'Tracking' : 'Lead'

function getSortName(column: LeadColumn): LeadSort | undefined {
  const field = leadFields[column]
  if (!('sort' in field)) return undefined
  // `true` means the field's own name, as in listSorts.
  return field.sort === true ? (column as LeadSort) : field.sort
}

function defineColumns(
  me: LeadColumnReader,
  { view, showFirstCalls, patch }: LeadColumnOptions,
): Record<LeadColumn, ColumnDefinition> {
  const writable = getWritableFields(me)
  const isAdmin = me.isAdmin || me.isSuperAdmin
  const seesRelated = relatedLeadsContract.ofLead.allow(me)
  const plain = (field: PlainField, width: number): ColumnDefinition => ({
    width,
    cell: (lead) => clippedTextCell(lead[field]),
  })

  return {
    campaign_name: {
      ...plain('campaign_name', 136),
      telling: true,
      cell: (lead) => (
        <RecordLink kind="campaign" id={lead.campaign_id}>
          {nameCell(lead.campaign_name)}
        </RecordLink>
      ),
      plain: (lead) => lead.campaign_name ?? '',
    },
    lead_date: {
      width: me.timezone === null ? 96 : 116, // for 11:10 AM AKST on one line
      telling: true,
      cell: (lead) => renderLeadDate(lead, me.timezone),
      plain: (lead) => `${formatDay(lead.lead_date)} ${formatLeadTime(lead, me.timezone)}`,
    },
    // Wide enough for Missed on one line: a wrapped word would make the row higher than the others.
    lead_type: { width: 66, cell: renderLeadType },
    tracking_phone_number: {
      width: 144,
      cell: ({ tracking_phone_number: phone }) => (phone ? renderPhone(phone) : textCell(null)),
    },
    tracking_source: plain('tracking_source', 136),
    lead_name: {
      ...plain('lead_name', 92),
      telling: true,
      cell: ({ id, lead_name }) =>
        lead_name ? (
          <RecordLink kind="lead" id={id}>
            {nameCell(lead_name)}
          </RecordLink>
        ) : (
          textCell(null)
        ),
      plain: ({ lead_name }) => lead_name ?? '',
    },
    lead_location: plain('lead_location', 144),
    lead_email: { width: 208, cell: ({ lead_email }) => <EmailCell email={lead_email} /> },
    lead_phone: {
      width: 144, // with room for the button that copies it, beside the digits
      cell: (lead) => <LeadPhoneCell lead={lead} showFirstCalls={showFirstCalls} />,
    },
    message: {
      width: 170,
      grows: true,
      cell: (lead) => <MessageCell lead={lead} />,
      plain: ({ message, duration_formatted }) => message ?? duration_formatted ?? '',
    },
    related: {
      width: 128,
      cell: (lead) => (lead.has_related && seesRelated ? <RelatedLeadsButton lead={lead} /> : textCell(null)),
    },
    notes: {
      width: 208,
      cell: (lead) =>
        writable.has('notes') ? (
          <TextInputCell lead={lead} field="notes" label="Notes" isLong />
        ) : (
          clippedTextCell(lead.notes)
        ),
    },
    tags: {
      width: 120, // for Auto Missed Call on one line
      cell: (lead) =>
        writable.has('tags') ? <LeadTagsCell lead={lead} most={2} /> : <LeadTagsList lead={lead} most={2} />,
      plain: ({ tags }) => tags?.map(({ name }) => name).join(', ') ?? '',
    },
    confirmed: {
      width: 64,
      cell: (lead) =>
        writable.has('confirmed') ? (
          <LeadSwitchCell lead={lead} field="confirmed" label="Verified" />
        ) : (
          renderYesNo(lead.confirmed)
        ),
    },
    changers: {
      width: 136,
      cell: (lead) =>
        clippedTextCell(
          lead.changers
            ?.map(({ username, before_the_move }) => (before_the_move ? `${username} (before the move)` : username))
            .join(', '),
        ),
    },
    client_progress: {
      width: 256, // for five steps on one line
      cell: (lead) => <ProgressCell lead={lead} />,
    },
    company_name: {
      width: 176,
      cell: (lead) => <TextInputCell lead={lead} field="company_name" label="Company Name" />,
    },
    client_notes: {
      width: 208,
      cell: (lead) => <TextInputCell lead={lead} field="client_notes" label="Client Notes" isLong />,
    },
    client_value: {
      width: 112,
      align: 'end',
      cell: (lead) => <MoneyInputCell lead={lead} field="client_value" label="Value" />,
    },
    client_profit: {
      width: 112,
      align: 'end',
      cell: (lead) => <MoneyInputCell lead={lead} field="client_profit" label="Profit" />,
    },
    rating: {
      width: 208,
      cell: (lead) => <RatingCell lead={lead} />,
      plain: ({ rating }) => rating ?? '',
    },
    last_url: { width: 208, cell: (lead) => renderExternalLink(lead.last_url) },
    referrer: { width: 208, cell: (lead) => renderExternalLink(lead.referrer) },
    source: { width: 152, cell: renderSource, plain: ({ source }) => source ?? '' },
    keywords: plain('keywords', 144),
    gclid: { width: 144, cell: renderClickIds, plain: ({ gclid }) => gclid ?? '' },
    hide: { width: 88, cell: (lead) => <LeadSwitchCell lead={lead} field="hide" label="Is Hidden" /> },
    action: {
      width: isAdmin ? 196 : view === 'archive' ? 112 : 88,
      unprinted: true, // nor pinned: an open lead has the same buttons, and the columns that it would cover are needed
      cell: (lead) =>
        isAdmin ? (
          <AdminLeadActions lead={lead} patch={patch} />
        ) : view === 'archive' ? (
          <UnarchiveLeadButton lead={lead} patch={patch} />
        ) : (
          <ArchiveLeadButton lead={lead} patch={patch} />
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
  | 'keywords'

function renderLeadDate(lead: Lead, zone: string | null) {
  return (
    <>
      {dateCell(lead.lead_date)}
      <div className={text.quiet}>{zone === null ? timeCell(lead.lead_time) : formatLeadTime(lead, zone)}</div>
    </>
  )
}

/** Google's click id, then those of other platforms with their names. A row has two lines: the title has the rest. */
const renderClickIds = (lead: Lead) =>
  clippedTextCell(
    [
      lead.gclid,
      ...(['gbraid', 'wbraid', 'msclkid', 'fbclid'] as const).map((name) => lead[name] && `${name}: ${lead[name]}`),
    ]
      .filter(Boolean)
      .join(' '),
  )

/** What was stated stands beside a source that a surer trace shows. */
const renderSource = ({ source, source_stated }: Lead) => (
  <>
    {textCell(source)}
    {source_stated && <div className={text.quiet}>Stated: {source_stated}</div>}
  </>
)

/** Marks missed calls, because not everyone may read the tags. */
function renderLeadType(lead: Lead) {
  return (
    <>
      {lead.lead_type}
      {lead.missed_call && <div className={text.quiet}>Missed</div>}
    </>
  )
}

const renderYesNo = (on: 0 | 1) => textCell(on === 1 ? 'Yes' : 'No')

/** Returns the row's tint, which the switch, the type or the tag also shows as text. */
export const leadRowTint = (lead: Lead): RowTint | undefined => {
  if (lead.confirmed === 1) return 'verified'
  return lead.missed_call ? 'missed' : undefined
}

/** Opens the leads of the same person. */
function RelatedLeadsButton({ lead }: { lead: Lead }) {
  const open = useOpenLeadDialog()
  return (
    <span className={classes.actions} data-unprinted>
      <button type="button" data-hover onClick={() => open('related', lead)}>
        Related Leads
      </button>
    </span>
  )
}
