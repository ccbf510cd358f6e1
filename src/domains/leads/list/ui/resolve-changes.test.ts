import { expect, test } from 'vitest'
import type { Lead } from '#domains/leads/contract.ts'
import type { LeadChange } from '#domains/leads/live-changes.ts'
import { resolveChanges } from './resolve-changes.ts'

const row = { id: 1, version: 1, archived: 0, confirmed: 0, rating: null } as Partial<Lead> as Lead

/** Returns the row after these changes of another person. */
const after = (changes: Omit<LeadChange, 'id'>[]) =>
  changes.reduce((lead, change) => {
    const event = JSON.stringify({ mine: false, leads: [{ id: lead.id, ...change }] })
    const [resolved] = resolveChanges(event, { rows: [lead], filters: {}, isArchive: false })
    return { ...lead, ...resolved?.fields }
  }, row)

test('a row is as new as a change only if it has every change before, too: Edit Lead would overwrite what it missed [DESK-05]', () => {
  const phone: Omit<LeadChange, 'id'> = { version: 2, fields: {}, whole: false }
  const verified = (version: number) => ({ version, fields: { confirmed: 1 }, whole: true })
  expect(after([verified(2)])).toMatchObject({ version: 2, confirmed: 1 })
  expect(after([phone, verified(3)])).toMatchObject({ version: 1, confirmed: 1, live: { confirmed: 3 } })
})

test('a star from an email shows as that, also one that is not confirmed or replaces another [DESK-05]', () => {
  const star = { rating: '5', rating_via: 'link', rating_unconfirmed: 1 }
  expect(after([{ version: 2, fields: star, whole: true }])).toMatchObject(star)
  const another = { version: 3, fields: { rating: '4' }, whole: true }
  expect(after([{ version: 2, fields: star, whole: true }, another])).toMatchObject({ ...star, rating: '4' })
})

test('a lead that one assigns elsewhere leaves a list of leads without a campaign, and no other [DESK-05]', () => {
  const event = JSON.stringify({ mine: true, leads: [{ id: 1, version: 2, fields: {}, whole: true, moved: 7 }] })
  const markIn = (filters: object) =>
    resolveChanges(event, { rows: [{ ...row, campaign_id: null }], filters, isArchive: false })[0]!.mark
  expect(markIn({ no_campaign: 1 })).toBe('moved')
  expect(markIn({})).toBe(undefined)
})

test('a lead stays among those without a rating or feedback until its star is confirmed [DESK-05]', () => {
  const none = {
    client_progress: null,
    client_value: null,
    client_profit: null,
    company_name: null,
    client_notes: null,
  }
  const markAfter = (filter: 'not_rated' | 'no_feedback', fields: object) => {
    const event = { mine: false, leads: [{ id: 1, version: 2, fields, whole: true }] }
    const list = { rows: [{ ...row, ...none }], filters: { [filter]: 1 }, isArchive: false }
    return resolveChanges(JSON.stringify(event), list).map(({ mark }) => mark)
  }
  for (const filter of ['not_rated', 'no_feedback'] as const) {
    expect(markAfter(filter, { rating: '5', rating_via: 'link', rating_unconfirmed: 1 })).toEqual(['changed'])
    expect(markAfter(filter, { rating: '5', rating_via: 'link', rating_unconfirmed: 0 })).toEqual(['unmatched'])
    expect(markAfter(filter, { rating: '5', rating_via: 'staff' })).toEqual(['unmatched'])
  }
  expect(markAfter('no_feedback', { client_value: 5, rating: '5', rating_unconfirmed: 1 })).toEqual(['unmatched'])
})
