import type { IncomingHttpHeaders } from 'node:http'

export type StandInRequest = { method: string; url: URL; headers: IncomingHttpHeaders; body: string }
export type StandInResponse = { status: number; body?: unknown; headers?: Record<string, string> }
/** A JSON response, a page (`html`), or a redirect (`to`). */
export type StandInReply = StandInResponse & { html?: string; to?: string }

type FieldViolation = { field: string; description: string }
type ErrorInfo = { reason: string; metadata?: Record<string, string> }

/** Returns an error in the format of Google's services. */
export function createRpcError(
  code: number,
  status: string,
  message: string,
  { violations = [], info }: { violations?: FieldViolation[]; info?: ErrorInfo } = {},
): StandInResponse {
  const details = [
    ...(info ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', domain: 'googleapis.com', ...info }] : []),
    ...(violations.length > 0
      ? [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations }]
      : []),
  ]
  return { status: code, body: { error: { code, message, status, ...(details.length > 0 ? { details } : {}) } } }
}

export const createInvalidArgument = (violations: FieldViolation[], info?: ErrorInfo) =>
  createRpcError(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', {
    violations,
    ...(info ? { info } : {}),
  })
export const createNotFound = () => createRpcError(404, 'NOT_FOUND', 'Requested entity was not found.')

/** Returns the page of a list that the query's token points to; clients treat tokens as opaque. */
export function paginateList<T>(
  all: readonly T[],
  query: URLSearchParams,
  { most, usual }: { most: number; usual: number },
) {
  const size = Math.min(Number(query.get('pageSize') ?? usual) || usual, most)
  const token = query.get('pageToken')
  const from = token ? Number(Buffer.from(token, 'base64url').toString().replace('from ', '')) : 0
  const next = from + size
  return {
    rows: all.slice(from, next),
    ...(next < all.length ? { nextPageToken: Buffer.from(`from ${next}`).toString('base64url') } : {}),
  }
}
