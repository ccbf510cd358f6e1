import {
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import { toastError } from '../feedback/toast.tsx'
import { type AnyCallInput, type ApiError, buildApiUrl, type CallInput, readJson, sendRequest } from './api.ts'
import { keepEarlyCall, takeEarlyBody } from './early-calls.ts'
import { useServerReach } from './server-reach.ts'
import { readSessionToken } from './session-token.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError
    queryMeta: { quiet?: boolean }
  }
}

/** The cache of all queries. One for the page; it is cleared when the session ends. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (problem, query) => {
      // A 401 goes to /login: no toast needed.
      if (!query.meta?.quiet && problem.status !== 401) toastError(problem)
    },
  }),
  defaultOptions: {
    queries: {
      retry: false,
      // Rows must not move under the pointer: they change only on request or after a write.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
  },
})

// Failed queries are repeated once the server can be reached again. Loaded data stays as it is: nothing moves.
useServerReach.subscribe(({ lostAt }) => {
  if (lostAt === null)
    void queryClient.refetchQueries({
      type: 'active',
      predicate: ({ state }) => state.status === 'error' && !state.data,
    })
})

type ApiQueryOptions = {
  /** Whether to run the query now. */
  enabled?: boolean
  /** Keeps the response until a write changes what it shows, or a reload. */
  kept?: boolean
  /** Forgotten once nothing shows it, so that it is read again the next time. */
  uncached?: boolean
  /** Shows no toast on failure: the screen shows it in place. */
  quiet?: boolean
  /** Sent early the next time that the page is opened (see early-calls.ts): for the first rows on screen. */
  early?: boolean
  /** Shows the previous query's response until the new one arrives. */
  keepPrevious?: boolean
}
type ApiQueryArgs<E> =
  Record<never, never> extends CallInput<E>
    ? [input?: CallInput<E>, options?: ApiQueryOptions]
    : [input: CallInput<E>, options?: ApiQueryOptions]

/** Makes a reading call, and again after each write that changes what it reads. */
export function useApi<E extends Endpoint>(
  endpoint: E,
  ...[input, options]: ApiQueryArgs<E>
): UseQueryResult<ResponseOf<E>> {
  // Not validated here, as in `callApi`.
  return useQuery(buildQuery(endpoint, input, options)) as UseQueryResult<ResponseOf<E>>
}

/** Returns the query library's options for a GET. */
export function buildQuery(endpoint: Endpoint, input?: AnyCallInput, options: ApiQueryOptions = {}) {
  return {
    queryKey: getQueryKey(endpoint, input),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<unknown> => {
      if (options.early) keepEarlyCall(buildApiUrl(endpoint, input))
      return readJson(await sendRequest(endpoint, input, { signal }))
    },
    enabled: options.enabled ?? true,
    ...(options.early
      ? {
          initialData: () => takeEarlyBody(buildApiUrl(endpoint, input), readSessionToken()),
          staleTime: getEarlyStaleTime,
        }
      : {}),
    ...(options.uncached ? { gcTime: 0 } : {}),
    ...(options.kept ? { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY } : {}),
    placeholderData: options.keepPrevious ? (previous: unknown) => previous : undefined,
    meta: { quiet: options.quiet ?? false },
  }
}

/** Queries that something has shown. Noted a moment later: the component that shows one asks next whether to fetch it. */
const shownQueries = new WeakSet<Query>()
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'observerAdded') queueMicrotask(() => shownQueries.add(query))
})

/** A response that came before its screen is not fetched again when the screen first shows it. */
const getEarlyStaleTime = (query: Query) =>
  query.state.dataUpdateCount === 0 && !shownQueries.has(query) ? Number.POSITIVE_INFINITY : 0

/** Returns the cache key of a call; without an input, the prefix of all its keys. */
export function getQueryKey(endpoint: Endpoint, input?: AnyCallInput): QueryKey {
  const whole = [endpoint.reads, endpoint.address]
  return input ? [...whole, input] : whole
}

/** Refreshes the queries that read one of these, as a call names them: those on screen now, the others when they are next shown. */
export function refreshQueries(changed: readonly string[]): Promise<void> {
  const reads = (part: unknown) => changed.some((resource) => resource === part)
  return queryClient.invalidateQueries({ predicate: ({ queryKey: [read] }) => Array.isArray(read) && read.some(reads) })
}
