import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { OutboundClient } from '../outbound/outbound.ts'
import { LegacyServer } from './legacy-server.ts'

test('a list without pages is read however long it is [MOVE-02]', async () => {
  const ids = Array.from({ length: 200_000 }, (_, index) => ({ id: index + 1 }))
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(ids))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['127.0.0.0/8'] })
  const old = new LegacyServer(outbound, { address, token: 'a-token' })
  expect(await old.readList('tools', 'tools')).toHaveLength(ids.length)
})
