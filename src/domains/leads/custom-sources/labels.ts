/** Services whose leads can be read without a mapping. */
export const sourcePresets = ['whatconverts', 'facebook', 'google', 'typeform', 'jotform'] as const
export type SourcePreset = (typeof sourcePresets)[number]
export const sourcePresetTitles = {
  whatconverts: 'WhatConverts',
  facebook: 'Facebook Lead Ads',
  google: 'Google lead forms',
  typeform: 'Typeform',
  jotform: 'Jotform',
} as const satisfies Record<SourcePreset, string>

/** The fields of a lead that a mapping fills, in the order of the Add Lead dialog. */
export const mappedFieldLabels = {
  lead_date: 'Lead Date',
  lead_time: 'Lead Time',
  lead_type: 'Lead Type',
  lead_id: 'Lead ID',
  lead_name: 'Name',
  lead_email: 'Email',
  lead_phone: 'Phone',
  lead_location: 'Location',
  message: 'Message',
  source: 'Source',
  last_url: 'Last URL',
  referrer: 'Referrer',
  notify: 'Notify',
  gclid: 'gclid',
  gbraid: 'gbraid',
  wbraid: 'wbraid',
  msclkid: 'msclkid',
  fbclid: 'fbclid',
  keywords: 'Keyword',
  duration: 'Duration',
  answered: 'Answered',
  recording: 'Recording',
  tracking_phone_number: 'Tracking Phone',
  tracking_source: 'Tracking Source',
} as const
export type MappedField = keyof typeof mappedFieldLabels
export const mappedFields = Object.keys(mappedFieldLabels) as MappedField[] // the keys of the record above

/** The state of an event. `waiting` is for the worker, or for a mapping and a replay. */
export const sourceEventStates = ['lead', 'quarantined', 'waiting'] as const
export const sourceEventStateTitles = {
  lead: 'Lead',
  quarantined: 'Put aside',
  waiting: 'Waiting',
} as const satisfies Record<(typeof sourceEventStates)[number], string>
