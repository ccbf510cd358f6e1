import { expect, test } from 'vitest'
import { callRailWebhookSample } from '../fakes/callrail-sample.ts'
import {
  classifyCallRailEvent,
  computeCallRailSignature,
  isCallRailSignatureValid,
  isSignatureFormat,
  readCompanyIds,
  scanCompanyIds,
} from './webhook.ts'

test('the signature of CallRail’s published sample is the published one', () => {
  const { key, body, signature } = callRailWebhookSample
  expect(computeCallRailSignature(key, Buffer.from(body))).toBe(signature)
  expect(isCallRailSignatureValid(key, Buffer.from(body), signature)).toBe(true)
  expect(isCallRailSignatureValid(key, Buffer.from(`${body} `), signature)).toBe(false)
  expect(isCallRailSignatureValid('another key', Buffer.from(body), signature)).toBe(false)
})

test('only 20 bytes in base64 look like a signature', () => {
  expect(isSignatureFormat(callRailWebhookSample.signature)).toBe(true)
  for (const other of [
    '',
    'abc',
    `${callRailWebhookSample.signature}=`,
    'A'.repeat(28),
    ` ${callRailWebhookSample.signature}`,
  ])
    expect(isSignatureFormat(other)).toBe(false)
})

const ended = { call_type: 'missed', answered: false, duration: '0', recording: '', resource_id: 'CAL1' }
const kinds: [string, Record<string, unknown>, string][] = [
  ['an answered call', { ...ended, call_type: 'answered', answered: true, duration: '60' }, 'call'],
  ['a missed call, once it is over', ended, 'call'],
  ['a ringing call, without fields about its end', { ...ended, recording: undefined }, 'none'],
  [
    'a pre-call with text for its types',
    { call_type: 'missed', answered: 'false', duration: '0', voicemail: 'false', resource_id: 'CAL1' },
    'none',
  ],
  ['an answered call with few fields', { call_type: 'answered', answered: true, duration: 5, id: 7 }, 'call'],
  ['a voicemail with few fields', { call_type: 'voicemail', answered: false, duration: 5, id: 7 }, 'call'],
  ['a changed call', { ...ended, changes: ['tags'] }, 'modified'],
  ['an outbound call', { ...ended, direction: 'outbound', answered: 'false' }, 'none'],
  ['a changed outbound call', { ...ended, direction: 'Outbound', changes: ['note'] }, 'none'],
  ['a form', { id: 'FRM1', form_data: { name: 'A' }, company_id: 'COM1' }, 'form'],
  [
    'a text message',
    { id: 1, resource_id: 'MSG1', source_number: '+15125550144', message_type: 'sms', content: 'Hi' },
    'text',
  ],
  [
    'a text message that was sent',
    { id: 1, agent: 'Dana', source_number: '+15125550180', message_type: 'sms', content: 'Hi' },
    'none',
  ],
  [
    'a text message that was received, with the name of a field that only those sent have',
    { id: 1, agent: null, direction: 'incoming', source_number: '+15125550144', message_type: 'sms', content: 'Hi' },
    'text',
  ],
  [
    'a text message that was sent and says so',
    { id: 1, direction: 'outgoing', source_number: '+15125550180', message_type: 'sms', content: 'Hi' },
    'none',
  ],
  ['a text message without a number', { type: 'sms', content: 'Hi', direction: 'inbound', id: 'SMS1' }, 'none'],
  ['something else', { company_id: 'COM1', id: 'X' }, 'unknown'],
  ['a call without an id', { ...ended, resource_id: '' }, 'unknown'],
]
test.each(kinds)('%s is recognized by its shape: %j', (_name, given, kind) => {
  const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  expect(classifyCallRailEvent(body).kind).toBe(kind)
})

test('an event is identified by its new id, an old one by its number', () => {
  expect(classifyCallRailEvent({ ...ended, id: 766970532 })).toEqual({ kind: 'call', id: 'CAL1' })
  expect(classifyCallRailEvent({ ...ended, resource_id: '', id: 766970532 })).toEqual({ kind: 'call', id: '766970532' })
})

test('a company is identified by either of its ids, even in a broken body [IN-07]', () => {
  expect(readCompanyIds({ company_id: 422269185, company_resource_id: 'COM1' })).toEqual(['COM1', '422269185'])
  expect(readCompanyIds({ company_id: 'COM2' })).toEqual(['COM2'])
  expect(readCompanyIds({ company_id: '', company_resource_id: null })).toEqual([])
  expect(scanCompanyIds(Buffer.from('{"company_id": 42, \0 "company_resource_id":"COM3", "x":'))).toEqual([
    '42',
    'COM3',
  ])
})
