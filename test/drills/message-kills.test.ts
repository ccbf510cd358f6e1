import { expect, test } from 'vitest'
import { createDatabase } from '#test/database.ts'
import { killMessageSenders } from '../../soak/message-kills.ts'

test('workers are killed while they notify people of signals and tasks: no message is duplicated or lost [TODAY-10]', {
  timeout: 180_000,
}, async () => {
  const { url, drop } = await createDatabase()
  try {
    const done = await killMessageSenders(url, 4)
    expect(done).toMatchObject({ kills: 4, doubled: [], lost: [] })
    // Four rounds of two sites to five people, four tasks, five digests.
    expect(done.due).toBe(4 * 2 * 5 + 4 + 5)
    expect(done.uncertain, 'no sender died over a letter').toBeGreaterThan(0)
  } finally {
    await drop()
  }
})
