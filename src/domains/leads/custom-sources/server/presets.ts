import { parseAnswered } from '#domains/leads/model/provider-words.ts'
import { FormFields, parsePerson } from '../../intake/server/form-fields.ts'
import { detectTrafficSource } from '../../intake/server/lead-source.ts'
import {
  assertBodyObject,
  type EventBody,
  getOwnField,
  isBodyObject,
  UnusableEventError,
} from '../../intake/server/parse-body.ts'
import type { MappedField, SourcePreset } from '../labels.ts'
import { findByPath, type SourceBody, toText } from './read-body.ts'

/** The fields of a lead as text, before they are checked. */
export type FieldTexts = Partial<Record<MappedField, string | null>>

/** Reads a lead in the format of a service. Throws if the body is not one of its leads. */
export function readPreset(preset: SourcePreset, body: SourceBody): FieldTexts {
  assertBodyObject(body)
  return presetReaders[preset](body)
}

/** Reads WhatConverts' webhooks “New Lead” and “Update Lead”. */
function readWhatConverts(body: EventBody): FieldTexts {
  const get = (...paths: string[]) =>
    paths.map((path) => toText(findByPath(body, path))).find((text) => text !== null) ?? null
  const answers = getOwnField(body, 'additional_fields')
  const fields = new FormFields(isBodyObject(answers) ? answers : {})
  const person = parsePerson(fields)
  const status = parseAnswered(get('call_status', 'answer_status') ?? '')
  const place = [get('city', 'caller_city'), get('state', 'caller_state')].filter(Boolean).join(', ')
  const type = get('lead_type')
  return {
    lead_id: get('lead_id'),
    lead_type: type && /^(chat|text message|email|appointment)$/i.test(type) ? 'Form' : type,
    lead_date: get('date_created'),
    lead_name: get('contact_name', 'caller_name') ?? person.name,
    lead_email: get('contact_email_address', 'email_address') ?? person.email,
    lead_phone: get('contact_phone_number', 'caller_number') ?? person.phone,
    lead_location: place || person.location,
    message: get('message', 'text_message', 'chat_transcript', 'email_body') ?? person.message ?? fields.rest(),
    source: detectTrafficSource({
      names: [],
      gclid: get('gclid'),
      utmSource: get('lead_source'),
      utmMedium: get('lead_medium'),
    }),
    keywords: get('lead_keyword'),
    gclid: get('gclid'),
    last_url: get('lead_url', 'landing_url'),
    referrer: get('referring_url'),
    duration: get('call_duration_seconds', 'call_duration'),
    answered: typeof status === 'boolean' ? String(status) : null,
    recording: get('recording', 'play_recording'),
    tracking_phone_number: get('tracking_number', 'phone_number'),
    tracking_source: get('phone_name'),
  }
}

/** Reads a lead of Lead Ads as the Graph API returns it. Facebook's own notice has no fields: the sender must fetch the lead first. */
function readFacebook(body: EventBody): FieldTexts {
  const answers = getOwnField(body, 'field_data')
  if (!Array.isArray(answers)) {
    const id = toText(findByPath(body, 'entry.0.changes.0.value.leadgen_id') ?? findByPath(body, 'leadgen_id'))
    throw new UnusableEventError(
      `Facebook's notice${id ? ` of lead ${id.slice(0, 50)}` : ''} has no fields: send the lead itself, as the Graph API returns it`,
    )
  }
  const fields = toFormFields(answers, (answer) => toText(answer.name))
  const platform = toText(getOwnField(body, 'platform'))
  return {
    ...readAnswers(fields),
    lead_id: toText(getOwnField(body, 'id')),
    lead_type: 'Form',
    lead_date: toText(getOwnField(body, 'created_time')),
    source: platform === 'ig' ? 'Instagram' : 'Facebook',
    tracking_source: toText(getOwnField(body, 'campaign_name')) ?? toText(getOwnField(body, 'form_id')),
  }
}

/** Reads the webhook of Google Ads' lead forms. */
function readGoogle(body: EventBody): FieldTexts {
  const answers = getOwnField(body, 'user_column_data')
  if (!Array.isArray(answers)) throw new UnusableEventError('Google’s lead has no user_column_data')
  // Google's own columns are named by id, the form's questions by their text.
  const fields = toFormFields(answers, ({ column_id: id, column_name: name }) =>
    typeof id === 'string' && /^[A-Z_]+$/.test(id) ? id : (toText(name) ?? toText(id)),
  )
  return {
    ...readAnswers(fields),
    lead_id: toText(getOwnField(body, 'lead_id')),
    lead_type: 'Form',
    lead_date: toText(getOwnField(body, 'lead_submit_time')),
    source: 'Google Paid',
    gclid: toText(getOwnField(body, 'gcl_id')),
    tracking_source: toText(getOwnField(body, 'campaign_id')),
  }
}

const presetReaders = { whatconverts: readWhatConverts, facebook: readFacebook, google: readGoogle }

function toFormFields(answers: unknown[], nameOf: (answer: EventBody) => string | null): FormFields {
  const pairs = answers.filter(isBodyObject).flatMap((answer) => {
    const name = nameOf(answer)
    return name === null ? [] : [[name, toText(answer.values ?? answer.string_value)] as const]
  })
  return new FormFields(Object.fromEntries(pairs))
}

function readAnswers(fields: FormFields): FieldTexts {
  const person = parsePerson(fields)
  const email = person.email ?? fields.get('workemail', 'useremail')
  const phone = person.phone ?? fields.get('workphonenumber', 'workphone', 'userphone')
  return {
    lead_name: person.name,
    lead_email: email,
    lead_phone: phone,
    lead_location: person.location ?? fields.get('postalcode', 'streetaddress'),
    message: person.message ?? fields.rest(),
  }
}
