import { expect, test } from 'vitest'
import { kills } from '../../soak/kills.ts'

test('the app and its PostgreSQL are killed under signed posts: no lead is lost or there twice, no letter comes twice (R19, R23, R24)', {
  timeout: 180_000,
}, async () => {
  const done = await kills(300, ['kill the app', 'kill PostgreSQL', 'kill the app mid-mail', 'restart PostgreSQL'])
  expect(done).toMatchObject({ lost: 0, duplicated: 0, lettersTwice: 0, mailsLost: 0 })
  expect(done.sentAgain, 'nobody noticed the violence').toBeGreaterThan(0)
  // How soon it was back and had drained is for `npm run soak`: here two cores do much else at once.
})
