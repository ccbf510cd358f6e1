import { expect, test } from 'vitest'
import { checkWorkingTime } from '#domains/leads/model/working-hours.ts'
import { describeTagCause } from './tag-cause.ts'

/** Returns the stored cause of a tag on a Thursday with these hours. */
const causeOf = (startTime: string, endTime: string, timezone = 'America/New_York', enabled = true) =>
  checkWorkingTime({ schedule: [{ day: 4, enabled, startTime, endTime }], timezone }, new Date('2026-11-26T18:00:00Z'))
    .because

test('the hours that a tag names are said in words, in their time zone [DESK-10]', () => {
  const say = (...hours: Parameters<typeof causeOf>) => describeTagCause(causeOf(...hours))
  expect(say('08:00', '17:00')).toBe('open Thu 8–5 ET')
  expect(say('08:05', '17:30', 'America/Chicago')).toBe('open Thu 8:05–5:30 CT')
  expect(say('08:00', '17:00', 'America/Chicago', false)).toBe('closed on Thu (CT)')
  expect(say('00:00', '24:00')).toBe('open Thu all day ET')
})

test('hours that could be another time of day are said with AM and PM [DESK-10]', () => {
  const say = (from: string, to: string) => describeTagCause(causeOf(from, to))
  expect(say('07:00', '21:00')).toBe('open Thu 7 AM–9 PM ET')
  expect(say('08:00', '12:00')).toBe('open Thu 8 AM–12 PM ET')
  expect(say('13:00', '24:00')).toBe('open Thu 1 PM–12 AM ET')
  expect(say('00:30', '12:30')).toBe('open Thu 12:30 AM–12:30 PM ET')
})

test('other causes are shown as they are stored', () => {
  for (const because of [
    'spammer Sam',
    "keyword 'casino'",
    'CallRail marked it as spam',
    '[erased]',
    'Mon closed here',
  ])
    expect(describeTagCause(because)).toBe(because)
})
