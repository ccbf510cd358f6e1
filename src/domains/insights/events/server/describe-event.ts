import { cutText } from '#contract/cut-text.ts'
import { formatCalendarDay } from '#contract/days.ts'
import { toWallClock } from '#core/time/local-time.ts'
import { campaignFields } from '#domains/campaigns/fields.ts'
import { getTroubleStateLabel } from '#domains/campaigns/labels.ts'
import type { CampaignEvent } from '../contract.ts'
import { type CampaignEventKind, campaignEvents } from '../labels.ts'

type EventFields = Record<string, unknown> | null
export type EventRow = {
  source: string
  id: number | string
  at: string
  kind: CampaignEventKind
  by: CampaignEvent['by']
  username: string | null
  subject_type: CampaignEvent['subject']['type']
  subject_id: number | null
  label: string | null
  before: EventFields
  after: EventFields
}

const maxTitle = 300

/** Converts an event to its API format: what happened, in words, and to what. */
export function describeEvent(row: EventRow, timeZone: string): CampaignEvent {
  const { source, id, at, kind, by, username, subject_type, subject_id, label } = row
  const title = writeTitle(row, timeZone)
  return {
    key: `${source}-${id}`,
    at,
    kind,
    title: title.length > maxTitle ? `${cutText(title, maxTitle - 1)}…` : title,
    subject: { type: subject_type, id: subject_id, label: label ?? '' },
    by,
    username,
  }
}

function writeTitle({ kind, label, before, after }: EventRow, timeZone: string): string {
  const name = campaignEvents[kind].label
  const about = label ?? ''
  switch (kind) {
    case 'note':
      return about
    case 'task':
      return `${after?.is_done === true ? 'Task, done' : 'Task'}: ${about.split('\n')[0]}` // a signal's task has its evidence on the lines below
    case 'campaign_added':
    case 'hours_edited':
    case 'area_edited':
    case 'terms_changed':
      return name
    case 'campaign_archived':
      return isOn(after?.archived) ? 'Campaign archived' : 'Campaign unarchived'
    case 'target_changed':
    case 'campaign_edited':
      return `${name}: ${describeFields(before, after).join('; ')}`
    case 'listing_edited':
    case 'listing_changed':
      return `${name}: ${about}: ${describeFields(before, after).join('; ')}`
    case 'site_edited':
      return `${before === null ? 'Client site added' : after === null ? 'Client site removed' : name}: ${about}`
    case 'site_ip':
      return `${name}: ${about}: ${formatValue('ip', before?.ip)} → ${formatValue('ip', after?.ip)}`
    case 'site_certificate':
      return `${name}: ${about}: expires ${formatDay(after?.expires_at, timeZone)}`
    case 'registration':
    case 'google_location':
      return `${name}: ${about}: ${describeFields(before, after).join('; ')}`
    default:
      return `${name}: ${about}`
  }
}

const isOn = (value: unknown) => value === true || value === 1

const formOrder = Object.keys(campaignFields)
/** For long texts and lists, says only that they changed. */
function describeFields(before: EventFields, after: EventFields): string[] {
  return Object.entries(after ?? {})
    .filter(([field]) => field !== 'edited_by')
    .toSorted(([a], [b]) => formOrder.indexOf(a) - formOrder.indexOf(b))
    .map(([field, value]) => {
      const said = [before?.[field], value].map((one) => formatValue(field, one))
      return said.every((one) => one !== null) ? `${labelField(field)} ${said.join(' → ')}` : labelField(field)
    })
}

const otherLabels: Record<string, string> = {
  trouble_state: 'Status',
  notes: 'Notes',
  is_ppc: 'PPC',
  client_id: 'Client',
  expires_on: 'Expires',
  nameservers: 'Name servers',
}

function labelField(field: string): string {
  if (field in campaignFields) return campaignFields[field as keyof typeof campaignFields].label
  const words = otherLabels[field] ?? field.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns null for values that are not spelled out: lists, long texts, ids. */
function formatValue(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return '–'
  if (field === 'client_id' || field === 'notes' || typeof value === 'object') return null
  if (field === 'trouble_state') return getTroubleStateLabel(Number(value)) ?? String(value)
  if (field === 'is_ppc') return isOn(value) ? 'Yes' : 'No'
  const text = formatCalendarDay(String(value))
  return text.length > 80 ? null : text
}

const formatDay = (value: unknown, timeZone: string) =>
  typeof value === 'string' ? formatCalendarDay(toWallClock(new Date(value), timeZone).day) : '–'
