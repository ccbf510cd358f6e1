import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'

test('a connection that a browser opened and never used does not keep the server from stopping', async () => {
  const app = await startApp()
  const { hostname, port } = new URL(app.url)
  const unused = connect(Number(port), hostname)
  unused.on('error', () => {})
  await once(unused, 'connect')
  await app.guest.fetch('/healthz') // by now the server has accepted the first connection
  const gone = once(unused, 'close')
  await app.close()
  await gone
  expect(unused.destroyed).toBe(true)
}, 14_000) // all connections are cut after 15 seconds
