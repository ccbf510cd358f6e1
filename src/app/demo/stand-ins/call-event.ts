import type { DemoPerson } from '../people.ts'

/** A finished call, as CallRail reports it. */
type EndedCall = {
  id: string
  company: string
  startedAt: Date
  caller: DemoPerson
  outcome: 'answered' | 'voicemail' | 'abandoned' | 'missed'
  seconds: number
  trackingPhone: string
  source: string
  keywords: string
  page: string
}

/** Returns the body of CallRail's Post-Call webhook, with its field names and types: numbers are text, and missing values are ''. */
export function createCallEvent(call: EndedCall): string {
  const { id, caller, outcome, seconds, source } = call
  const start = call.startedAt.toISOString()
  const [city, state] = caller.location.split(', ')
  const isRecorded = outcome === 'answered' || outcome === 'voicemail'
  const clock = `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  return JSON.stringify({
    ...Object.fromEntries(emptyFieldNames.map((name) => [name, ''])),
    answered: outcome === 'answered',
    business_phone_number: '+15125550191',
    call_type: outcome,
    company_id: 422_269_185,
    company_name: 'Example Company',
    company_time_zone: 'America/New_York',
    created_at: start,
    customer_city: city,
    customer_country: 'US',
    customer_name: caller.name,
    customer_phone_number: caller.phone,
    customer_state: state,
    direction: 'inbound',
    duration: String(seconds),
    first_call: false,
    formatted_call_type: `${outcome[0]!.toUpperCase()}${outcome.slice(1)} Call`,
    formatted_customer_location: caller.location,
    formatted_customer_name: caller.name,
    formatted_customer_name_or_phone_number: caller.name,
    formatted_customer_phone_number: formatDashedPhone(caller.phone),
    formatted_duration: outcome === 'abandoned' ? '(abandoned)' : clock,
    formatted_tracking_phone_number: formatDashedPhone(call.trackingPhone),
    formatted_tracking_source: source,
    formatted_value: '--',
    prior_calls: 0,
    recording: isRecorded ? `https://app.callrail.com/calls/${id}/recording/redirect?access_key=0a1b2c3d4e5f` : '',
    recording_duration: isRecorded ? String(seconds) : '',
    source,
    source_name: 'Website Pool',
    start_time: start,
    tags: [],
    detail_tags: [],
    total_calls: 1,
    tracking_phone_number: call.trackingPhone,
    voicemail: outcome === 'voicemail',
    keywords: call.keywords,
    last_requested_url: call.page,
    landing_page_url: call.page,
    referring_url: source.startsWith('Google') ? 'https://www.google.com/' : '',
    milestones: { first_touch: createTouch(start, source), lead_created: createTouch(start, source) },
    integration_data: [{ integration: 'Webhooks', data: null }],
    call_highlights: [],
    spam: false,
    callercity: city,
    callercountry: 'US',
    callername: caller.name,
    callernum: caller.phone,
    callerstate: state,
    callsource: 'keyword',
    datetime: start.slice(0, 19).replace('T', ' '),
    destinationnum: '+15125550191',
    trackingnum: call.trackingPhone,
    timestamp: start,
    person_resource_id: `PER${id.slice(3)}`,
    resource_id: id,
    company_resource_id: call.company,
    tracker_resource_id: 'TRK0123456789abcdef',
  })
}

const formatDashedPhone = (phone: string) => phone.replace(/^\+1(...)(...)(....)$/, '$1-$2-$3')

const createTouch = (at: string, source: string) => ({
  event_date: at,
  ad_position: null,
  campaign: null,
  device: null,
  keywords: null,
  landing: null,
  landing_page_url_params: {},
  match_type: null,
  medium: null,
  referrer: null,
  referrer_url_params: {},
  session_browser: null,
  url_utm_params: {},
  source,
})

const emptyFieldNames =
  'agent_email campaign conversational_transcript custom device_type fbclid ga gclid good_lead_call_id good_lead_call_time keypad_entries keywords_spotted kissmetrics_id landingpage lead_status medium msclkid note recording_player recording_redirect referrer referrer_domain referrermedium score speaker_percent tag timeline_url transcription utm_campaign utm_content utm_medium utm_source utm_term utma utmb utmc utmv utmz value waveforms'.split(
    ' ',
  )
