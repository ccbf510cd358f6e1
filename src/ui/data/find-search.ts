import type { AccessSubject } from '#contract/allow.ts'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import type { RecordKind } from '#contract/record-paths.ts'
import type { CallInput } from './api.ts'

/** How many records of a kind are shown, and how many are read to find the best of them. */
export const maxRecordsPerSearch = 6
export const readRecordsPerSearch = 50

/** Whether each of the typed words is in one of these texts. */
export type MatchWords = (...texts: (string | undefined)[]) => boolean

/** A record that Find lists; `detail` tells it from others with the same label. */
type FoundRecord = {
  id: number
  label: string
  /** What people type instead of its label, such as its number. */
  alias?: string | undefined
  detail?: string | undefined
  archived?: boolean
}

type RecordSearch<E extends Endpoint> = {
  /** The page that a record opens. */
  record: RecordKind
  /** What stands next to each record. */
  kind: string
  /** Records of searches with lower numbers come first; leave gaps. */
  position: number
  endpoint: E
  /** For whom Find calls it: everyone who may call it, if not given. */
  allow?: (me: AccessSubject | null) => boolean
  /** Without it the endpoint returns everything, and `show` picks what matches. */
  query?: (text: string) => CallInput<E>['query']
  /** Of an endpoint for a single record, which may be there or not; null if the text names none. */
  params?: (text: string) => CallInput<E>['params'] | null
  show: (answer: ResponseOf<E>, matches: MatchWords) => readonly FoundRecord[]
}

/** How Find searches one kind of record. */
export type FindSearch = RecordSearch<Endpoint>

/** The cast only forgets which endpoint it is: Find passes to `show` what that endpoint returned. */
export const defineFindSearch = <E extends Endpoint>(search: RecordSearch<E>) => search as FindSearch
