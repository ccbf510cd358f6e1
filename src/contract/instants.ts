import { z } from 'zod'

/**
 * A moment in JSON: ISO 8601 in UTC with milliseconds. Any text passes for one; the mark tells the compiler where a handler may
 * answer with a Date, which JSON writes this way.
 */
type InstantText = string & { readonly isInstant?: never }

export const instantField: z.ZodType<InstantText, string> = z.iso.datetime()
/** The API description says of these only that they are texts. */
export const textInstantField: z.ZodType<InstantText, string> = z.string()

/** An answer before it is JSON: its instants may still be Dates. */
export type BeforeJson<T> = T extends string
  ? 'isInstant' extends keyof T
    ? T | Date
    : T
  : T extends object
    ? { [Name in keyof T]: BeforeJson<T[Name]> }
    : T
