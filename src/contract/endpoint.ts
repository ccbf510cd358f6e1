import type { z } from 'zod'
import type { AccessRule } from './allow.ts'

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Spelled as the specification spells it, so that a search for `PUT /networksite` finds the call. */
type EndpointAddress = `${HttpMethod} /${string}`

/** The words between `:` and the next `/` of an address, or the `.` of a file's ending. */
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
  /** Schema of the query; unnamed query parameters are ignored. */
  query?: z.ZodType
  body?: z.ZodType
  /** What a 2xx carries. Checked in tests, not in production. */
  response?: z.ZodType
  /** What a 409 carries where the version sent is stale: under one name, the row as it is now. */
  conflict?: Record<string, z.ZodType>
  /** Path parameters that are not plain ids. */
  params?: Record<string, z.ZodType>
  /** The question before the call, word for word. */
  confirm?: string
  /** The toast after it, word for word. */
  success?: string
  /** What the call is for, in the API's description. */
  description?: string
  /** Asks for a proof of who is there once the last one is 15 minutes old. */
  reauthenticate?: true
  /** Open also to those who must set up a second factor first. */
  openBeforeEnrolment?: true
  /** Set by `paged(...)`. */
  list?: unknown
  /** Answers a stream or a file instead of JSON. */
  streams?: true
  /** The name of that file. */
  file?: string
  /** The body reaches the handler as the bytes that were sent, of any content type: a signature is over them. */
  raw?: true
  /** Answers nothing but a secret: closed to a view as another person. */
  secret?: true
  /** A write that a read-only view may make: it leaves the view. */
  endsView?: true
  /** Fetched by an <img>, which sends no header: the session token may stand in the query as `api_token`. */
  image?: true
}

export type Endpoint<A extends EndpointAddress = EndpointAddress, S extends EndpointSpec = EndpointSpec> = S & {
  address: A
  method: HttpMethod
  path: string
}
export type ApiContract = Record<string, Endpoint>

/** One call, described once for both sides. It is data: the router, the API description and the tests walk it. */
export function endpoint<const A extends EndpointAddress, S extends EndpointSpec>(address: A, spec: S): Endpoint<A, S> {
  const [method, path] = address.split(' ') as [HttpMethod, string] // Address guarantees the shape
  return { ...spec, address, method, path }
}

type SchemaOutput<T> = T extends z.ZodType ? z.output<T> : undefined
type SchemaInput<T> = T extends z.ZodType ? z.input<T> : undefined

/** What a handler gets, after parsing. */
export type QueryOf<E> = E extends { query: infer Q } ? SchemaOutput<Q> : Record<string, never>
export type BodyOf<E> = E extends { body: infer B } ? SchemaOutput<B> : undefined
export type ParamsOf<E> =
  E extends Endpoint<infer A, infer S>
    ? Omit<PathParams<A>, keyof S['params']> & { [Name in keyof S['params']]: SchemaOutput<S['params'][Name]> }
    : never
export type ResponseOf<E> = E extends { response: infer A } ? SchemaOutput<A> : unknown
/** The row that a 409 carries, as it is now. */
export type ConflictRow<E> = E extends { conflict: infer C extends Record<string, z.ZodType> }
  ? SchemaOutput<C[keyof C]>
  : never
/** What a caller sends. */
export type QueryInput<E> = E extends { query: infer Q } ? SchemaInput<Q> : undefined
export type BodyInput<E> = E extends { body: infer B } ? SchemaInput<B> : undefined
