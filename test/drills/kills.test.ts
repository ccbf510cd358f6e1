import { expect, test } from 'vitest'
import { kills } from '../../soak/kills.ts'

test('the app and its PostgreSQL are killed under signed posts: no lead is lost or duplicated, and no mail arrives twice (R19, R23, R24)', {
  timeout: 180_000,
}, async () => {
  const done = await kills(300, ['kill the app', 'kill PostgreSQL', 'kill the app mid-mail', 'restart PostgreSQL'])
  expect(done).toMatchObject({ lost: 0, duplicated: 0, lettersTwice: 0, mailsLost: 0 })
  expect(done.sentAgain, 'the kills had no effect').toBeGreaterThan(0)
  // Recovery times are for `npm run soak`: here two cores do a lot else at the same time.
})
