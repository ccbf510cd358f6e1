import { isIPv6 } from 'node:net'

/**
 * Why a request failed. `refused` is our own decision: the address is not allowed. `unresolved`: the name does not exist or has no address;
 * `unanswered`: its name servers do not answer. `no ipv6`: this machine cannot use the addresses; `no http2`: nor what the server speaks.
 */
export type OutboundErrorKind =
  | 'refused'
  | 'unresolved'
  | 'unanswered'
  | 'unreachable'
  | 'no ipv6'
  | 'no http2'
  | 'closed'
  | 'late'
  | 'too large'
  | 'redirects'
  | 'certificate'
  | 'broken'

/** One response: a redirect, or the last one. */
export type OutboundHop = {
  url: string
  status: number
  /** The IP address of the connection. */
  address: string
  /** When its certificate expires, and what is wrong with it. Null over http. */
  certificate: { ends: Date | null; problem: string | null } | null
}

/** A failed request, with a message for users; `hops` are the responses before the failure. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind
  hops: OutboundHop[] = []
  /** The IP address of the connection, made or attempted. */
  address: string | null

  constructor(kind: OutboundErrorKind, message: string, address: string | null = null) {
    super(message)
    this.kind = kind
    this.address = address
  }
}

const getErrorCode = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

const tlsProblems: Readonly<Record<string, string>> = {
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'The server only speaks TLS that browsers no longer accept',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'The server only speaks TLS that browsers no longer accept',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'The server has no certificate for this name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'The server asks its visitors for a certificate',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The server answers without encryption where browsers need it',
}

export const notFoundMessage = 'This website could not be found'

/** Converts a system error into an `OutboundError`. */
export function toOutboundError(error: unknown, address: string | null = null): OutboundError {
  if (error instanceof OutboundError) return error
  const code = getErrorCode(error)
  if (address !== null && isIPv6(address) && /^(ENETUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT)$/.test(code))
    return new OutboundError('no ipv6', 'Has only IPv6 addresses, which cannot be reached from here', address)
  if (code === 'ENOTFOUND') return new OutboundError('unresolved', notFoundMessage, address)
  if (code === 'ECONNREFUSED') return new OutboundError('unreachable', 'The connection was refused', address)
  if (/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/.test(code))
    return new OutboundError('unreachable', 'The address cannot be reached', address)
  if (/^(ECONNRESET|EPIPE|UND_|ERR_STREAM_PREMATURE_CLOSE)/.test(code))
    return new OutboundError('closed', 'The connection was closed unexpectedly', address)
  if (/^HPE_|^ERR_INVALID|^Z_/.test(code)) return new OutboundError('broken', 'The response is not valid HTTP', address)
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code))
    return code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'
      ? new OutboundError('no http2', 'Only speaks HTTP/2, which checks do not', address)
      : new OutboundError('certificate', tlsProblems[code] ?? 'No secure connection could be made', address)
  return new OutboundError(
    'broken',
    error instanceof Error ? error.message.slice(0, 200) : 'Something went wrong',
    address,
  )
}
