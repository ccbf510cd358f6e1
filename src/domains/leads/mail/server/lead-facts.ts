import { readPhone, toTelUrl } from '#contract/read-phone.ts'
import { formatZonedTime } from '#contract/zoned-time.ts'
import type { leadsTable } from '#domains/leads/model/schema.ts'

type LeadColumns = Pick<
  typeof leadsTable.$inferSelect,
  | 'lead_type'
  | 'occurred_at'
  | 'lead_name'
  | 'lead_location'
  | 'lead_email'
  | 'lead_phone'
  | 'message'
  | 'duration'
  | 'answering_status'
  | 'voicemail'
  | 'tracking_phone_number'
  | 'source'
  | 'recording_url'
>
/** The content of a mail about a lead: the contact, the type, and all known facts by label. */
export type LeadMailFacts = {
  type: LeadColumns['lead_type']
  /** A name, or else a phone or email, or else 'someone'. */
  who: string
  campaign: string
  phone: string | null
  email: string | null
  message: string | null
  isRecorded: boolean
  /** In order, without unknown facts. */
  listed: { label: string; value: string; href?: string }[]
}

/** Builds the facts of a lead. Times are in the client's zone, which is named. */
export function buildMailFacts(lead: LeadColumns, campaign: string, zone: string): LeadMailFacts {
  const { lead_type, lead_name, lead_email, lead_location } = lead
  const phone = lead.lead_phone && formatMailPhone(lead.lead_phone)
  const fact = (label: string, value: string | null, href?: string | null) =>
    value === null ? [] : [{ label, value, ...(href ? { href } : {}) }]
  return {
    type: lead_type,
    who: lead_name ?? phone ?? lead_email ?? 'someone',
    campaign,
    phone,
    email: lead_email,
    message: lead.message,
    isRecorded: lead.recording_url !== null,
    listed: [
      ...fact('Name', lead_name),
      ...fact('Phone', phone, toTelUrl(phone)),
      ...fact('Email', lead_email, toMailtoUrl(lead_email)),
      ...fact('Location', lead_location),
      ...fact('When', formatZonedTime(lead.occurred_at, zone)),
      ...fact('Source', lead.source),
      ...(lead_type === 'Call' ? fact('Call', describeCall(lead)) : []),
    ],
  }
}

/** A single number that a person typed stays as they wrote it. */
function formatMailPhone(phone: string): string {
  const { shown, extension, isWithheld } = readPhone(phone)
  return isWithheld || extension !== null || /^\+?\d+$/.test(phone) ? shown : phone
}

const toMailtoUrl = (email: string | null) =>
  email !== null && /^[^\s@?&]+@[^\s@?&]+$/.test(email) ? `mailto:${encodeURI(email)}` : null

function describeCall({ answering_status, duration, voicemail }: LeadColumns): string {
  const length = duration === null ? '' : `, ${Math.floor(duration / 60)}:${String(duration % 60).padStart(2, '0')} min`
  return `${answering_status ?? 'Call'}${voicemail ? ' (voicemail left)' : ''}${length}`
}
