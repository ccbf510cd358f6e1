import { type IncomingMessage, type RequestOptions, request as speakHttp } from 'node:http'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { RequestDeadline } from './deadline.ts'
import { TidiedConnection } from './tidy-heads.ts'

type HttpRequestParts = {
  method?: string
  headers?: Record<string, string>
  body?: string
  agent: string
  likeBrowser?: boolean
}

/** Sends a request over an open connection; returns the response when its headers have arrived. */
export function sendHttpRequest(
  line: Duplex,
  target: URL,
  { method = 'GET', headers, body, agent, likeBrowser }: HttpRequestParts,
  deadline: RequestDeadline,
): Promise<IncomingMessage> {
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    const request = speakHttp({
      method,
      path: `${target.pathname}${target.search}`,
      setHost: false,
      headers: {
        host: target.host,
        'user-agent': agent,
        accept: '*/*',
        'accept-encoding': 'gzip',
        connection: 'close',
        ...headers,
      },
      ...(likeBrowser ? readLikeBrowser(line, target) : { createConnection: () => line }),
    })
    request.once('response', resolve)
    request.on('error', reject) // also what is wrong with the body: the reader gets it
    request.end(body)
  })
  return deadline.before(answer)
}

/** Node's parser takes any body in its lenient mode, and every head that was tidied. */
function readLikeBrowser(line: Duplex, target: URL): RequestOptions {
  const isEncrypted = line instanceof TLSSocket
  const tidied = new TidiedConnection(line, {
    mayBeCut: !isEncrypted,
    // Browsers still take a bare page, as before HTTP/1.0, from the port where such servers were.
    mayLackHead: !isEncrypted && target.port === '',
  })
  tidied.on('error', () => {}) // when Node has read the response, it no longer listens
  return { createConnection: () => tidied, insecureHTTPParser: true, maxHeaderSize: 1_000_000 }
}
