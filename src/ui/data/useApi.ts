import { QueryCache, QueryClient, type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import { toastError } from '../feedback/toast.tsx'
import { type AnyCallInput, type ApiError, buildApiUrl, type CallInput, readJson, sendRequest } from './api.ts'
import { keepEarlyCall } from './early-calls.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError
    queryMeta: { quiet?: boolean }
  }
}

/** What the browser has read. One for the page; a session's end empties it. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (problem, query) => {
      // A 401 sends the browser to /login, which says enough.
      if (!query.meta?.quiet && problem.status !== 401) toastError(problem)
    },
  }),
  defaultOptions: {
    queries: {
      retry: false,
      // Nothing moves under the pointer: rows change when their reader asks, or after a write.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
  },
})

type ApiQueryOptions = {
  /** Off until something is chosen. */
  enabled?: boolean
  /** Read once and kept until a write to the same thing or a reload. */
  kept?: boolean
  /** The failure is shown in place: no toast. */
  quiet?: boolean
  /** The page asks it by itself the next time that it is opened: what its first sight needs. */
  early?: boolean
  /** Shows the answer to the previous question until the new one is there. */
  keepPrevious?: boolean
}
type ApiQueryArgs<E> =
  Record<never, never> extends CallInput<E>
    ? [input?: CallInput<E>, options?: ApiQueryOptions]
    : [input: CallInput<E>, options?: ApiQueryOptions]

/** The answer of a GET, read again whenever something about the same thing is written. */
export function useApi<E extends Endpoint>(
  endpoint: E,
  ...[input, options]: ApiQueryArgs<E>
): UseQueryResult<ResponseOf<E>> {
  // Held against the contract in the server's tests, as in `call`.
  return useQuery(buildQuery(endpoint, input, options)) as UseQueryResult<ResponseOf<E>>
}

/** A GET as the query library takes it. */
export function buildQuery(endpoint: Endpoint, input?: AnyCallInput, options: ApiQueryOptions = {}) {
  return {
    queryKey: getQueryKey(endpoint, input),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<unknown> => {
      if (options.early) keepEarlyCall(buildApiUrl(endpoint, input))
      return readJson(await sendRequest(endpoint, input, signal))
    },
    enabled: options.enabled ?? true,
    ...(options.kept ? { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY } : {}),
    placeholderData: options.keepPrevious ? (previous: unknown) => previous : undefined,
    meta: { quiet: options.quiet ?? false },
  }
}

/** Without an input it is the beginning of every key of that call. */
export function getQueryKey(endpoint: Endpoint, input?: AnyCallInput): QueryKey {
  const whole = [getSubject(endpoint), endpoint.address]
  return input ? [...whole, input] : whole
}

/**
 * Calls about one thing share the first word of their path: `lead/3` and `leads/list/data` are both about `lead`.
 * A write makes the browser read again whatever it shows of the same thing.
 */
function getSubject(endpoint: Endpoint): string {
  const [word = ''] = endpoint.path.slice(1).split('/')
  return word.replace(/s$/, '')
}

/** Reads again what the screen shows of these; what is not on screen is read when it is next opened. */
export function refreshQueries(endpoints: readonly Endpoint[]): Promise<void> {
  const subjects = new Set(endpoints.map(getSubject))
  return queryClient.invalidateQueries({ predicate: (query) => subjects.has(String(query.queryKey[0])) })
}
