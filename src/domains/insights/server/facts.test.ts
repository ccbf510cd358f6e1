import { expect, test } from 'vitest'
import { InvalidFactsError, parseFacts } from './facts.ts'

const campaign =
  '{"kind":"campaign","id":1,"category":"Roofing","timezone":"America/New_York","start_date":"2025-01-01","due_date":15,"target":30}'
const source = '{"kind":"source","id":"11/callrail","campaign":1,"site":11}'
const lead =
  '{"kind":"lead","id":7,"campaign":1,"source":"11/callrail","type":"Call","channel":"Google Organic","at":"2026-01-02T15:04:05Z","verified_at":null,"hidden_by":null,"missed":false}'
const event =
  '{"kind":"event","campaign":1,"site":11,"event":"site_offline","at":"2026-01-03T10:00:00Z","until":"2026-01-04T09:00:00Z","title":"down"}'

test('facts are read in any order, and empty lines are skipped [TODAY-11, PACE-07]', () => {
  const facts = parseFacts([event, '', lead, source, campaign])
  expect(facts).toMatchObject({
    campaigns: [{ id: 1, target: 30 }],
    sources: [{ id: '11/callrail' }],
    leads: [{ id: 7, verified_at: null }],
    events: [{ event: 'site_offline' }],
  })
  expect(parseFacts([campaign, source, lead, event])).toEqual(facts)
  expect(parseFacts([`\uFEFF${campaign}`, source, lead, event]), 'as Windows saves it').toEqual(facts)
})

test('every bad line is reported with its problem [TODAY-11, PACE-07]', () => {
  const problems = (lines: string[]) => {
    try {
      parseFacts(lines)
      return []
    } catch (error) {
      if (error instanceof InvalidFactsError) return error.lines
      throw error
    }
  }
  expect(
    problems([
      campaign,
      'not json',
      '{"kind":"planet"}',
      lead.replace('"Call"', '"Fax"'),
      lead.replace('2026-01-02T15:04:05Z', 'yesterday'),
      campaign,
      source.replace('"campaign":1', '"campaign":2'),
      lead.replace('false', '"no"'),
      '\uFEFF{',
      campaign.replace('"id":1', '"id":2').replace('America/New_York', 'Mars/Olympus'),
      campaign.replace('"id":1', '"id":3').replace('15', '32'),
      campaign.replace('"id":1', '"id":4').replace('30', '-1'),
    ]),
  ).toEqual([
    'line 2: this is not JSON',
    'line 3: kind must be campaign, source, lead, event or offline',
    'line 4: type must be Call or Form',
    'line 5: at must be a time in ISO 8601',
    'line 6: campaign 1 appears twice',
    'line 7: there is no campaign 2',
    'line 8: missed must be true or false',
    'line 9: this is not JSON',
    'line 10: timezone must be a time zone such as America/New_York',
    'line 11: due_date must be a day of the month, 1 to 31',
    'line 12: target must be a number from 0 on',
  ])
})
