import { expect, test } from 'vitest'
import type { CampaignEvent } from '../contract.ts'
import { foldEvents } from './fold-events.ts'

const event = (key: string, at: string, more: Partial<CampaignEvent> = {}): CampaignEvent => ({
  key,
  at,
  kind: 'site_offline',
  title: key,
  subject: { type: 'campaign', id: null, label: '' },
  by: 'machine',
  username: null,
  ...more,
})
const fold = (...events: CampaignEvent[]) => foldEvents(events).map((one) => one.map(({ key }) => key))

test('events of one minute are one line, whatever their kinds; another minute or actor starts another [DESK-08]', () => {
  const olivia = { by: 'person', username: 'olivia', kind: 'keyword_added' } as const
  expect(
    fold(
      event('f', '2026-11-20T10:01:00Z'),
      event('e', '2026-11-20T10:00:59.999Z'),
      event('d', '2026-11-20T10:00:30Z', { kind: 'listing_changed' }),
      event('c', '2026-11-20T10:00:20Z', olivia),
      event('b', '2026-11-20T10:00:00Z', olivia),
      event('a', '2026-11-20T10:00:00Z', { ...olivia, username: 'dana' }),
    ),
  ).toEqual([['f'], ['e', 'd'], ['c', 'b'], ['a']])
})

test('notes and tasks have no minute, and so stay apart [DESK-08]', () => {
  const note = { by: 'person', username: 'dana', kind: 'note' } as const
  expect(fold(event('b', '2026-11-20T00:00:00Z', note), event('a', '2026-11-20T00:00:00Z', note))).toEqual([
    ['b'],
    ['a'],
  ])
})
