import type { z } from 'zod'
import type { AccessRule } from './allow.ts'

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Spelled as in the specification, so that a search for `PUT /networksite` finds the call. */
type EndpointAddress = `${HttpMethod} /${string}`

/** The names between `:` and the next `/`, or the `.` of a file extension. */
type PathParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParamNames<Rest>
  : Path extends `${string}:${infer Name}.${string}`
    ? Name
    : Path extends `${string}:${infer Name}`
      ? Name
      : never
/** Path parameters are ids, except those that a call declares in `params`. */
type PathParams<A extends string> = { [Name in PathParamNames<A>]: number }

type EndpointSpec = {
  allow: AccessRule
  /**
   * What the response shows: it is read again after a write that changes one of these. A name covers all that is shown of a thing:
   * `campaign` also its area, hours, terms and forecast.
   */
  reads?: readonly string[]
  /** What a write changes; `[]` if nothing that is shown. */
  changes?: readonly string[]
  /** The kind of row that a list shows, or that a write returns or removes: lists keep what a form saved in sight. */
  row?: string
  /** Schema of the query; unknown parameters are ignored. */
  query?: z.ZodType
  body?: z.ZodType
  /** The body of a 2xx. Checked in tests, not in production. */
  response?: z.ZodType
  /** The field of a 409 for a stale version: the current row, under one name. */
  conflict?: Record<string, z.ZodType>
  /** Path parameters that are not plain ids. */
  params?: Record<string, z.ZodType>
  /** The question before the call. */
  confirm?: string
  /** The button that answers yes, where it is not Delete or Yes. */
  confirmLabel?: string
  /** The toast after success. */
  success?: string
  /** The purpose of the call, for the API documentation. */
  description?: string
  /** Requires a confirmation of identity within the last 15 minutes. */
  reauthenticate?: true
  /** Also open to users who must set up a second factor first. */
  openBeforeEnrolment?: true
  /** Set by `pagedQuery(...)`. */
  list?: unknown
  /** Returns a stream, a file or a redirect instead of JSON: what it is, where no `file` tells it. */
  streams?: true | 'audio/*' | 'image/*' | 'text/event-stream' | 'redirect'
  /** The name of that file. */
  file?: string
  /** The handler gets the raw bytes of the body, whatever its content type, to check its signature. */
  raw?: true
  /** Takes one file as multipart form data instead of JSON. */
  upload?: true
  /** Returns only a secret: not allowed in a view as another user, or by an API key. */
  secret?: true
  /** A write that returns a secret that it has just made: the one time that an API key gets one. */
  newSecret?: true
  /** A write that is allowed in a read-only view, because it ends the view. */
  endsView?: true
  /** Fetched by an <img>, which sends no header: the session token may be in the query as `api_token`. */
  image?: true
}

export type Endpoint<A extends EndpointAddress = EndpointAddress, S extends EndpointSpec = EndpointSpec> = S & {
  address: A
  method: HttpMethod
  path: string
}
export type ApiContract = Record<string, Endpoint>

/** Describes a call, for both server and browser. It is data, which the router, the API documentation and the tests read. */
export function endpoint<const A extends EndpointAddress, S extends EndpointSpec>(address: A, spec: S): Endpoint<A, S> {
  const [method, path] = address.split(' ') as [HttpMethod, string] // EndpointAddress guarantees the shape
  return { ...spec, address, method, path }
}

/** Whether a read-only view as another user refuses the call. */
export const isRefusedInView = ({ method, endsView }: Endpoint): boolean => method !== 'GET' && !endsView
export const viewRefusal = 'Nothing can be changed while you see this as another person'

/** Whether a call takes an Idempotency-Key, with which it may be sent again. */
export const isRepeatable = ({ method, allow, raw, upload, streams, secret }: Endpoint): boolean =>
  method === 'POST' && !(allow.guests || raw || upload || streams || secret)

type SchemaOutput<T> = T extends z.ZodType ? z.output<T> : undefined
type SchemaInput<T> = T extends z.ZodType ? z.input<T> : undefined

/** What a handler gets: the parsed values. */
export type QueryOf<E> = E extends { query: infer Q } ? SchemaOutput<Q> : Record<string, never>
export type BodyOf<E> = E extends { body: infer B } ? SchemaOutput<B> : undefined
export type ParamsOf<E> =
  E extends Endpoint<infer A, infer S>
    ? Omit<PathParams<A>, keyof S['params']> & { [Name in keyof S['params']]: SchemaOutput<S['params'][Name]> }
    : never
export type ResponseOf<E> = E extends { response: infer A } ? SchemaOutput<A> : unknown
/** The current row in a 409. */
export type ConflictRow<E> = E extends { conflict: infer C extends Record<string, z.ZodType> }
  ? SchemaOutput<C[keyof C]>
  : never
/** What a caller sends. */
export type QueryInput<E> = E extends { query: infer Q } ? SchemaInput<Q> : undefined
export type BodyInput<E> = E extends { body: infer B } ? SchemaInput<B> : undefined
