import { isObject } from '#contract/is-object.ts'
import { parseAnswered } from '#domains/leads/model/provider-words.ts'
import { FormFields, joinMessage, parsePerson } from '../../intake/server/form-fields.ts'
import { detectTrafficSource, readClickIds } from '../../intake/server/lead-source.ts'
import {
  assertBodyObject,
  type EventBody,
  getOwnField,
  nameValues,
  UnusableEventError,
  wrapperKeys,
} from '../../intake/server/parse-body.ts'
import { isPhone, isSurelyEmail, personNames } from '../../intake/server/person-fields.ts'
import { findByPath, locateAll, openJson, toText } from '../body-paths.ts'
import type { MappedField, SourcePreset } from '../labels.ts'
import { describeRest } from './describe-rest.ts'
import { openListOfOne, openOnlyField, type SourceBody } from './read-body.ts'
import { suggestMapping } from './suggest-mapping.ts'

/** The fields of a lead as text, before they are checked. */
export type FieldTexts = Partial<Record<MappedField | 'source_stated', string | null>>

/** Reads a lead in the format of a service. Throws if the body is not one of its leads. */
export function readPreset(preset: SourcePreset, body: SourceBody): FieldTexts {
  const opened = openOnlyField(body)
  assertBodyObject(opened)
  const lead = preset === 'google' ? toWebhookKeys(opened) : opened
  assertBodyObject(lead)
  return presetReaders[preset](unwrapLead(lead, ownKeys[preset]))
}

/** What each service's lead has. */
const ownKeys: Record<SourcePreset, string> = {
  whatconverts: 'lead_id',
  facebook: 'field_data',
  google: 'user_column_data',
  typeform: 'form_response',
  jotform: 'rawRequest',
}

/** Returns the lead in what passes it on: `{ data: { … } }`, or a page of the Graph API with one lead. */
function unwrapLead(body: EventBody, key: string, depth = 0): EventBody {
  if (Object.hasOwn(body, key) || depth === 3) return body
  const inner = wrapperKeys.flatMap((wrapper): EventBody[] => {
    const value = openListOfOne(openJson(getOwnField(body, wrapper)))
    return isObject(value) ? [unwrapLead(value, key, depth + 1)] : []
  })
  return inner.find((one) => Object.hasOwn(one, key)) ?? body
}

/** Reads WhatConverts' webhooks “New Lead” and “Update Lead”. */
function readWhatConverts(body: EventBody): FieldTexts {
  const get = (...paths: string[]) =>
    paths.map((path) => toText(findByPath(body, path))).find((text) => text !== null) ?? null
  const answers = getOwnField(body, 'additional_fields')
  const fields = new FormFields(isObject(answers) || Array.isArray(answers) ? answers : {}, { areAnswers: true })
  const person = parsePerson(fields)
  // A call is completed by a voicemail too.
  const said = ['call_status', 'answer_status']
    .map((key) => parseAnswered(get(key) ?? ''))
    .filter((one) => typeof one === 'boolean')
  const place = [get('city', 'caller_city'), get('state', 'caller_state')].filter(Boolean).join(', ')
  const type = get('lead_type')
  const clickIds = readClickIds(get, [get('landing_url'), get('lead_url')])
  return {
    lead_id: get('lead_id'),
    lead_type: type && /^(chat|text message|email|appointment)$/i.test(type) ? 'Form' : type,
    lead_date: get('date_created'),
    lead_name: get('contact_name', 'caller_name') ?? person.name,
    lead_email: get('contact_email_address', 'email_address') ?? person.email,
    lead_phone: get('contact_phone_number', 'caller_number') ?? person.phone,
    lead_location: place || person.location,
    message: joinMessage(
      get('message', 'text_message', 'chat_transcript', 'email_body') ?? person.message,
      fields.rest(),
    ),
    ...detectTrafficSource({
      names: [],
      clickIds,
      utmSource: get('lead_source'),
      utmMedium: get('lead_medium'),
      utmCampaign: get('lead_campaign'),
      referrer: get('referring_url'),
    }),
    keywords: get('lead_keyword'),
    ...clickIds,
    last_url: get('lead_url', 'landing_url'),
    referrer: get('referring_url'),
    duration: get('call_duration_seconds', 'call_duration'),
    answered: said.length > 0 ? String(said.every(Boolean)) : null,
    recording: get('recording', 'play_recording'),
    tracking_phone_number: get('tracking_number', 'phone_number'),
    tracking_source: get('phone_name'),
  }
}

/**
 * Reads a lead of Lead Ads as the Graph API returns it, or flat, as Zapier and Make pass it on. Facebook's own notice has no fields: the
 * sender must fetch the lead first.
 */
function readFacebook(body: EventBody): FieldTexts {
  const answers = openJson(getOwnField(body, 'field_data'))
  const flat = Array.isArray(answers) ? null : readFlatAnswers(body)
  if (!Array.isArray(answers) && flat === null)
    throw describeNotice(toText(findByPath(body, noticedLead) ?? findByPath(body, 'leadgen_id')))
  const fields = flat ?? toFormFields(answers as unknown[], (answer) => toText(answer.name))
  const platform = toText(getOwnField(body, 'platform'))
  return {
    ...readAnswers(fields),
    lead_id: toText(getOwnField(body, 'id') ?? getOwnField(body, 'leadgen_id') ?? getOwnField(body, 'lead_id')),
    lead_type: 'Form',
    lead_date: toText(getOwnField(body, 'created_time')),
    source: /^(ig|instagram)$/i.test(platform ?? '') ? 'Instagram' : 'Facebook',
    tracking_source: toText(getOwnField(body, 'campaign_name')) ?? toText(getOwnField(body, 'form_id')),
  }
}

const noticedLead = 'entry.0.changes.0.value.leadgen_id'
const describeNotice = (id: string | null) =>
  new UnusableEventError(
    `Facebook's notice${id ? ` of lead ${id.slice(0, 50)}` : ''} has no fields: send the lead itself, as the Graph API returns it`,
  )

/** Throws for Facebook's own notice of a lead, which nothing of the visitor is in. */
export function rejectFacebookNotice(body: SourceBody): void {
  const id = toText(findByPath(body, noticedLead))
  if (id !== null) throw describeNotice(id)
}

/** Reads the webhook of Google Ads' lead forms. */
function readGoogle(body: EventBody): FieldTexts {
  const answers = openJson(getOwnField(body, 'user_column_data'))
  const flat = Array.isArray(answers) ? null : readFlatAnswers(body)
  if (!Array.isArray(answers) && flat === null) throw new UnusableEventError('Google’s lead has no user_column_data')
  // Google's own columns are named by id, the form's questions by their text.
  const fields =
    flat ??
    toFormFields(answers as unknown[], ({ column_id: id, column_name: name }) =>
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

/**
 * Names the parts of Google's lead as its webhook does. Programs that pass it on may write `userColumnData`, and the Google Ads API calls
 * the answers `leadFormSubmissionFields`.
 */
function toWebhookKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWebhookKeys)
  if (!isObject(value)) return value
  const { leadFormSubmissionFields: own, customLeadFormSubmissionFields: asked, ...rest } = value
  const answers = Array.isArray(own) ? [...own, ...(Array.isArray(asked) ? asked : [])] : []
  const { id, submissionDateTime, gclid } = rest
  const lead = own
    ? { lead_id: id, lead_submit_time: submissionDateTime, gcl_id: gclid, user_column_data: answers }
    : rest
  return Object.fromEntries(Object.entries(lead).map(([key, inner]) => [webhookKeys[key] ?? key, toWebhookKeys(inner)]))
}
const webhookKeys: Readonly<Record<string, string>> = {
  ...{ userColumnData: 'user_column_data', columnId: 'column_id', columnName: 'column_name' },
  ...{ stringValue: 'string_value', leadId: 'lead_id', leadSubmitTime: 'lead_submit_time', gclId: 'gcl_id' },
  ...{ campaignId: 'campaign_id', leadFormSubmissionData: 'data' },
  ...{ fieldType: 'column_id', fieldValue: 'string_value', questionText: 'column_name' },
}

/** What an ad platform adds to the answers of a lead that is sent flat. */
const adKeys =
  /^(?:(?:ad|adset|ad_?group|campaign|form|page|lead|leadgen|creative|account)_?(?:id|name)?|partner_?name|platform|is_?organic|inbox_?url|retailer_?item_?id|locale|gcl_?id|google_?key|api_?version|is_?test|lead_submit_time|created_time)$/i

/** Returns the answers of a lead whose names stand beside the platform's own; null if there is no contact among them. */
function readFlatAnswers(body: EventBody): FormFields | null {
  const answers = Object.fromEntries(Object.entries(body).filter(([key]) => !adKeys.test(key.trim())))
  const { name, email, phone } = parsePerson(new FormFields(answers))
  return name === null && email === null && phone === null ? null : new FormFields(answers) // a field is read once
}

const presetReaders = {
  whatconverts: readWhatConverts,
  facebook: readFacebook,
  google: readGoogle,
  typeform: readTypeform,
  jotform: readJotform,
}

function toFormFields(answers: unknown[], nameOf: (answer: EventBody) => string | null): FormFields {
  const pairs = answers.filter(isObject).flatMap((answer) => {
    const name = nameOf(answer)
    return name === null ? [] : [[name, toText(answer.values ?? answer.string_value ?? answer.value)] as const]
  })
  return new FormFields(nameValues(pairs), { areAnswers: true })
}

function readAnswers(fields: FormFields): FieldTexts {
  const person = parsePerson(fields)
  return {
    lead_name: person.name,
    lead_email: person.email,
    lead_phone: person.phone,
    lead_location: person.location ?? fields.get('postalcode', 'streetaddress'),
    message: joinMessage(person.message, fields.rest()),
  }
}

/** Reads a response of Typeform: each answer with the title of its question. */
function readTypeform(body: EventBody): FieldTexts {
  const response = getOwnField(body, 'form_response')
  if (!isObject(response)) throw new UnusableEventError('Typeform’s event has no form_response')
  if (toText(getOwnField(body, 'event_type')) === 'form_response_partial')
    throw new UnusableEventError('In progress, not sent yet')
  const hidden = getOwnField(response, 'hidden')
  const traces = new FormFields(isObject(hidden) ? hidden : {})
  const answers = readSuggested({
    answers: getOwnField(response, 'answers'),
    definition: getOwnField(response, 'definition'),
  })
  const known = readLinked(traces)
  return {
    ...answers,
    lead_name: answers.lead_name ?? known.name,
    lead_email: answers.lead_email ?? known.email,
    lead_phone: answers.lead_phone ?? known.phone,
    lead_id: toText(getOwnField(response, 'token')),
    lead_type: 'Form',
    lead_date: toText(getOwnField(response, 'submitted_at')),
    ...readTraces(traces),
  }
}

/** Reads whom a link to the form names. What says nothing of them stays: the sample of a hidden field, `xxxxx`, and the name of a page. */
function readLinked(hidden: FormFields) {
  const read = (names: readonly string[], accepts: (text: string) => boolean) => {
    const text = hidden.get(...names)
    return text !== null && accepts(text) ? text : null
  }
  const isName = (text: string) => /\p{L}/u.test(text) && !/^\s*(?:x+|X+|[a-z\d]+(?:[-_][a-z\d]+)+)\s*$/.test(text)
  const [whole, first, last] = (['name', 'first', 'last'] as const).map((one) => read(personNames[one], isName))
  return {
    name: whole ?? ([first, last].filter(Boolean).join(' ') || null),
    email: read(personNames.email, isSurelyEmail),
    phone: read(personNames.phone, isPhone),
  }
}

/** Reads a submission of JotForm: `rawRequest` holds the answers as JSON, each named as its question. */
function readJotform(body: EventBody): FieldTexts {
  const sent = openJson(getOwnField(body, 'rawRequest'))
  if (!isObject(sent)) throw new UnusableEventError('JotForm’s submission has no rawRequest')
  const answers = Object.entries(sent).filter(([key]) => /^q\d+_/.test(key))
  return {
    ...readSuggested({ answers: Object.fromEntries(answers) }),
    lead_id: toText(getOwnField(body, 'submissionID')),
    lead_type: 'Form',
    ...readTraces(
      new FormFields(Object.fromEntries(answers.map(([key, value]) => [key.replace(/^q\d+_/, ''), value]))),
    ),
  }
}

/** Reads answers as they suggest themselves, and keeps the rest for the message. */
function readSuggested(answers: EventBody): FieldTexts {
  const entries = Object.entries(suggestMapping(answers)).flatMap(([field, source]) =>
    source && 'from' in source ? [[field, source.from] as const] : [],
  )
  const texts: FieldTexts = Object.fromEntries(
    entries.map(([field, from]) => [field, toText(findByPath(answers, from))]),
  )
  const used = entries.flatMap(([, from]) => locateAll(answers, from).map(({ at }) => at))
  return { ...texts, message: joinMessage(texts.message ?? null, describeRest(answers, used, texts)) }
}

/** Reads where the visitor came from, as hidden fields carry it. */
function readTraces(hidden: FormFields): FieldTexts {
  const page = hidden.get('pageurl', 'landingpage', 'url')
  const clickIds = readClickIds((name) => hidden.get(name), [page])
  const referrer = hidden.get('referrer', 'referer')
  const [utmSource, utmMedium] = [hidden.get('utmsource'), hidden.get('utmmedium')]
  return {
    ...clickIds,
    referrer,
    last_url: page,
    keywords: hidden.get('utmterm', 'keyword'),
    ...detectTrafficSource({
      names: [hidden.get('source')],
      clickIds,
      utmSource,
      utmMedium,
      utmCampaign: hidden.get('utmcampaign'),
      medium: hidden.get('medium'),
      campaign: hidden.get('campaign'),
      referrer,
    }),
  }
}
