/** Why nothing useful came back. `refused` is ours: the address may not be spoken to. */
export type OutboundErrorKind =
  | 'refused'
  | 'unresolved'
  | 'unreachable'
  | 'late'
  | 'too large'
  | 'redirects'
  | 'certificate'
  | 'broken'

/** One answer on the way: a redirect, or the last. */
export type OutboundHop = {
  url: string
  status: number
  /** The address that was spoken to. */
  address: string
  /** When its certificate ends, and what is wrong with it. None over http. */
  certificate: { ends: Date | null; problem: string | null } | null
}

/** A request that came to nothing, in words that a person may read; `hops` is how far it came. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind
  hops: OutboundHop[] = []
  /** The address that was spoken to, or would have been. */
  address: string | null

  constructor(kind: OutboundErrorKind, message: string, address: string | null = null) {
    super(message)
    this.kind = kind
    this.address = address
  }
}

const getErrorCode = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A system's error as one of ours. */
export function toOutboundError(error: unknown, address: string | null = null): OutboundError {
  if (error instanceof OutboundError) return error
  const code = getErrorCode(error)
  if (code === 'ECONNREFUSED') return new OutboundError('unreachable', 'The connection was refused', address)
  if (/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/.test(code))
    return new OutboundError('unreachable', 'The address is out of reach', address)
  if (/^(ECONNRESET|EPIPE|UND_|ERR_STREAM_PREMATURE_CLOSE)/.test(code))
    return new OutboundError('broken', 'The connection broke off', address)
  if (/^HPE_|^ERR_INVALID|^Z_/.test(code))
    return new OutboundError('broken', 'The answer is not HTTP as it should be', address)
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code))
    return new OutboundError('certificate', 'No secure connection could be made', address)
  return new OutboundError('broken', error instanceof Error ? error.message.slice(0, 200) : 'Something broke', address)
}
