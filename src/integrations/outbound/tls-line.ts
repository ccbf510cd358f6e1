import { constants } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import { DEFAULT_CIPHERS, type TLSSocket, connect as trust } from 'node:tls'
import type { RequestDeadline } from './deadline.ts'
import { OutboundError, type OutboundHop } from './outbound-problem.ts'

type TlsOptions = { authorities: string | undefined; likeBrowser: boolean }

/** What browsers still accept: servers without secure renegotiation, and keys that OpenSSL finds too short. */
const browserTls = {
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
  ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0`,
}

/** Encrypts a connection. The caller checks the certificate. */
export async function upgradeToTls(
  socket: Socket,
  host: string,
  deadline: RequestDeadline,
  { authorities: ca, likeBrowser }: TlsOptions,
): Promise<TLSSocket> {
  const line = trust({
    socket,
    ...(isIP(host) ? {} : { servername: host }),
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    ...(ca ? { ca } : {}),
    ...(likeBrowser ? browserTls : {}),
  })
  const done = new Promise<void>((resolve, reject) => {
    line.once('secureConnect', () => resolve())
    line.once('error', reject)
    line.once('close', () => reject(new OutboundError('closed', 'The connection was closed unexpectedly')))
  })
  await deadline.before(done)
  return line
}

export function readCertificate(line: TLSSocket): OutboundHop['certificate'] {
  const { valid_to } = line.getPeerCertificate()
  const ends = valid_to ? new Date(valid_to) : null
  const code = line.authorizationError ? String(line.authorizationError) : ''
  return {
    ends,
    problem: line.authorized
      ? null
      : code.includes('EXPIRED')
        ? 'The certificate has expired'
        : `The certificate is not trusted (${code})`,
  }
}
