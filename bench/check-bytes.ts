import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { probeSite } from '#domains/sites/checks/server/request-site.ts'
import { createNetworkAdapter } from '#integrations/outbound/network-access.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'

/** The bytes that a check reads of a site; `before` was measured at 49105d0e, when a check read heads only and asked once. */
export type CheckBytes = { what: string; requests: number; bytes: number; before: number }

type Answer = { what: string; before: number; status: string; head?: string; body: Buffer }

const answers: readonly Answer[] = [
  { what: 'a page of 4 kB', before: 4_128, status: '200 OK', body: writePage(4_000) },
  {
    ...{ what: 'a page of 120 kB, compressed', before: 11_854, status: '200 OK' },
    ...{ head: 'content-encoding: gzip\r\n', body: gzipSync(writePage(120_000)) },
  },
  { what: 'a page of 120 kB', before: 14_600, status: '200 OK', body: writePage(120_000) },
  { what: 'a page of 60 kB that says 404', before: 14_600, status: '404 Not Found', body: writePage(60_000) },
  { what: 'a refusal of 2 kB', before: 2_157, status: '403 Forbidden', body: writePage(2_000) },
]

const checksOfEach = 20
/** What a server sends before it waits for the first confirmation; each round trip later twice as much. */
const firstFlight = 14_600
const roundTripMs = 20

/** Checks a server on this machine that sends its answers as they arrive over the internet. */
export async function measureCheckBytes(): Promise<CheckBytes[]> {
  const server = createServer((socket) => {
    socket.on('error', () => {}) // a check closes as soon as it has read enough
    socket.once('data', (data) => sendAnswer(socket, answers[Number(/^GET \/(\d+)/.exec(String(data))?.[1])]!))
  })
  const sockets: Socket[] = []
  const outbound = new OutboundClient(
    { ALLOWED_PRIVATE_RANGES: ['127.0.0.0/8'] },
    {
      ...createNetworkAdapter(),
      connect: (host, port) => {
        const socket = connect({ host, port })
        sockets.push(socket)
        return socket
      },
    },
  )
  const port = await listen(server)
  const found: CheckBytes[] = []
  for (const [at, { what, before }] of answers.entries()) {
    sockets.length = 0
    for (let times = 0; times < checksOfEach; times++) await probeSite(outbound, `http://127.0.0.1:${port}/${at}`)
    const bytes = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
    found.push({
      what,
      before,
      bytes: Math.round(bytes / checksOfEach),
      requests: sockets.length / checksOfEach,
    })
  }
  server.close()
  return found
}

/** A page as a CMS writes it; about half of it can be compressed. */
function writePage(bytes: number): Buffer {
  let page = '<!doctype html><html><head><title>Oak Roofing</title>'
  while (page.length < bytes)
    page += `<p class="wp-block-paragraph has-text">Roofs and gutters ${randomBytes(6).toString('hex')} of the city</p>\n`
  return Buffer.from(page)
}

async function sendAnswer(socket: Socket, { status, head = '', body }: Answer) {
  const start = `HTTP/1.1 ${status}\r\ncontent-type: text/html; charset=UTF-8\r\nserver: nginx\r\nx-powered-by: PHP/8.2\r\n`
  const all = Buffer.concat([Buffer.from(`${start}${head}content-length: ${body.length}\r\n\r\n`), body])
  for (let at = 0, flight = firstFlight; at < all.length && !socket.destroyed; at += flight, flight *= 2) {
    socket.write(all.subarray(at, at + flight))
    await pause(roundTripMs)
  }
  socket.end()
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // it listens on TCP
}
