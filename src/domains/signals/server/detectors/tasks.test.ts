import { expect, test } from 'vitest'
import type { SignalFacts } from '../facts.ts'
import { taskDetector } from './tasks.ts'

test('the title of a task with a long note ends after the last emoji that fits whole [TODAY-02]', () => {
  const task = { id: 1, campaign_id: 7, date: '2026-11-19', note: `${'a'.repeat(78)}🏠🏠🏠`, assignee: null }
  // The detector reads only these facts.
  const facts = { tasks: [task], timeZone: 'UTC' } as unknown as SignalFacts
  const [found] = taskDetector.detect(facts, new Date('2026-11-20T12:00Z'))
  expect(found!.subject.label).toBe(`${'a'.repeat(78)}🏠…`)
})
