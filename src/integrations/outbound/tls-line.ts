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
    host, // whose certificate it must be; an IP address has no server name
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
  return { ends: valid_to ? new Date(valid_to) : null, problem: line.authorized ? null : describeProblem(line) }
}

const problems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The certificate has expired',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed: browsers warn of this site',
}

function describeProblem(line: TLSSocket): string {
  const { subjectaltname = '', infoAccess } = line.getPeerCertificate()
  // Node sets an error, or its code when the chain is wrong.
  const error: unknown = line.authorizationError
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error ?? '')
  if (problems[code]) return problems[code]
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const name = /(?:DNS|IP Address):([^,]+)/.exec(subjectaltname)?.[1]
    return name ? `The certificate is for another name, ${name}` : 'The certificate names no site'
  }
  // Browsers that know where to get the rest open the site.
  if (code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' && infoAccess?.['CA Issuers - URI'])
    return 'The server does not send the whole chain of its certificate: some browsers warn of this site'
  return `The certificate is not trusted (${code})`
}
