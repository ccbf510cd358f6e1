import { expect, test } from 'vitest'
import { createDatabase } from '#test/database.ts'
import { rolling } from '../../soak/rolling.ts'

test('stopped under load, behind a proxy that checks readiness, no request fails and the exit code is 0 (R27) [RUN-08]', async () => {
  const database = await createDatabase()
  try {
    const settings = { DATABASE_URL: database.url, SECRET_KEY: '5e'.repeat(32), LOG_LEVEL: 'info' }
    const { requests, failed, codes } = await rolling(settings, 1)
    expect(failed).toEqual([])
    expect(codes).toEqual([0])
    expect(requests).toBeGreaterThan(200)
  } finally {
    await database.drop()
  }
})
