import type { z } from 'zod'
import type { Allow } from './allow.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Spelt as the specification spells it, so that a search for `PUT /networksite` finds the call. */
export type Address = `${Method} /${string}`

/** The words between `:` and the next `/` of an address. */
type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
/** Path parameters are ids, except those that a call declares in `params`. */
export type Params<A extends string> = { [Name in ParamNames<A>]: number }

type Spec = {
  allow: Allow
  /** Schema of the query; unnamed query parameters are ignored. */
  query?: z.ZodType
  body?: z.ZodType
  /** What a 2xx carries. Checked in tests, not in production. */
  answers?: z.ZodType
  /** Path parameters that are not plain ids. */
  params?: Record<string, z.ZodType>
  /** The question before the call, word for word. */
  asks?: string
  /** The toast after it, word for word. */
  says?: string
  /** What the call is for, in the API's description. */
  about?: string
  /** Set by `paged(...)`. */
  list?: unknown
  /** Answers a stream or a file instead of JSON. */
  streams?: true
  /** The name of that file. */
  file?: string
  /** The body reaches the handler as the bytes that were sent, of any content type: a signature is over them. */
  raw?: true
  /** Fetched by an <img>, which sends no header: the session token may stand in the query as `api_token`. */
  image?: true
}

export type Endpoint<A extends Address = Address, S extends Spec = Spec> = S & {
  address: A
  method: Method
  path: string
}
export type Contract = Record<string, Endpoint>

/** One call, described once for both sides. It is data: the router, the API description and the tests walk it. */
export function endpoint<const A extends Address, S extends Spec>(address: A, spec: S): Endpoint<A, S> {
  const [method, path] = address.split(' ') as [Method, string] // Address guarantees the shape
  return { ...spec, address, method, path }
}

type Out<T> = T extends z.ZodType ? z.output<T> : undefined
type In<T> = T extends z.ZodType ? z.input<T> : undefined

/** What a handler gets, after parsing. */
export type QueryOf<E> = E extends { query: infer Q } ? Out<Q> : Record<string, never>
export type BodyOf<E> = E extends { raw: true } ? Buffer : E extends { body: infer B } ? Out<B> : undefined
export type ParamsOf<E> =
  E extends Endpoint<infer A, infer S>
    ? Omit<Params<A>, keyof S['params']> & { [Name in keyof S['params']]: Out<S['params'][Name]> }
    : never
export type AnswerOf<E> = E extends { answers: infer A } ? Out<A> : unknown
/** What a caller sends. */
export type QueryIn<E> = E extends { query: infer Q } ? In<Q> : undefined
export type BodyIn<E> = E extends { body: infer B } ? In<B> : undefined
