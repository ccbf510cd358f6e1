import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'

/** The query of an address as plain text: `ip=1.10` stays 1.10, a 20-digit id keeps its digits. */
export type SearchParams = Record<string, string>

/** Parses a query; a repeated key is joined with commas. */
export function parseSearch(search: string): SearchParams {
  const found: SearchParams = {}
  for (const [name, value] of new URLSearchParams(search))
    found[name] = Object.hasOwn(found, name) ? `${found[name]},${value}` : value
  return found
}

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null) pairs.append(name, String(value))
  const text = pairs.toString().replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}

type SearchParamsState = readonly [
  search: SearchParams,
  write: (change: (search: SearchParams) => SearchParams, replace?: boolean) => void,
]

/** Keeps the state of a list in the address bar: Back works, and a link shows a colleague the same list. */
export function useSearchParams(): SearchParamsState {
  const { state } = useRouter()
  const [home] = useState(state.location.pathname)
  // During navigation this page is still mounted, and must not read the next page's address as its own.
  const here = useLocation({
    select: (at) => (at.pathname === home ? parseSearch(at.searchStr) : null),
    structuralSharing: true,
  })
  const [search, keep] = useState(here ?? {})
  if (here && here !== search) keep(here)
  const navigate = useNavigate()
  const write = useCallback(
    (change: (search: SearchParams) => SearchParams, replace = false) => {
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => change(parseSearch(stringifySearch(before))),
        replace,
        resetScroll: false,
      })
    },
    [navigate],
  )
  return [here ?? search, write]
}

/** Keeps the state of a list in memory: for lists in dialogs, which must not change the address of the page. */
export function useLocalSearchParams(): SearchParamsState {
  return useState<SearchParams>({})
}

/**
 * Keeps ordinary clicks on plain `<a>` links within `place` in the app: for elements with hundreds of links.
 */
export function useInAppLinks(place: Element | null) {
  const { history } = useRouter()
  useEffect(() => {
    const follow = (event: Event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!link || event.defaultPrevented || !(event instanceof MouseEvent) || !isPlainClick(event)) return
      event.preventDefault()
      history.push(link.getAttribute('href') ?? '')
    }
    place?.addEventListener('click', follow)
    return () => place?.removeEventListener('click', follow)
  }, [place, history])
}

/** Returns whether a click does not ask for a new tab or window. */
export const isPlainClick = (event: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
