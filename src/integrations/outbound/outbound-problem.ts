/** Why nothing useful came back. `refused` is ours: the address may not be spoken to. */
export type ProblemKind =
  | 'refused'
  | 'unresolved'
  | 'unreachable'
  | 'late'
  | 'too large'
  | 'redirects'
  | 'certificate'
  | 'broken'

/** One answer on the way: a redirect, or the last. */
export type Hop = {
  url: string
  status: number
  /** The address that was spoken to. */
  address: string
  /** When its certificate ends, and what is wrong with it. None over http. */
  certificate: { ends: Date | null; problem: string | null } | null
}

/** A request that came to nothing, in words that a person may read; `hops` is how far it came. */
export class OutboundProblem extends Error {
  readonly kind: ProblemKind
  hops: Hop[] = []
  /** The address that was spoken to, or would have been. */
  address: string | null

  constructor(kind: ProblemKind, message: string, address: string | null = null) {
    super(message)
    this.kind = kind
    this.address = address
  }
}

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A system's error as one of ours. */
export function problemFrom(error: unknown, address: string | null = null): OutboundProblem {
  if (error instanceof OutboundProblem) return error
  const code = codeOf(error)
  if (code === 'ECONNREFUSED') return new OutboundProblem('unreachable', 'The connection was refused', address)
  if (/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/.test(code))
    return new OutboundProblem('unreachable', 'The address is out of reach', address)
  if (/^(ECONNRESET|EPIPE|UND_|ERR_STREAM_PREMATURE_CLOSE)/.test(code))
    return new OutboundProblem('broken', 'The connection broke off', address)
  if (/^HPE_|^ERR_INVALID|^Z_/.test(code))
    return new OutboundProblem('broken', 'The answer is not HTTP as it should be', address)
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code))
    return new OutboundProblem('certificate', 'No secure connection could be made', address)
  return new OutboundProblem(
    'broken',
    error instanceof Error ? error.message.slice(0, 200) : 'Something broke',
    address,
  )
}
