import { foldSearch } from '#contract/fold-text.ts'
import { buildRecordPath } from '#contract/record-paths.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useCurrentUser } from '#domains/access/ui/current-user.ts'
import { type FindSearch, type MatchWords, maxRecordsPerSearch } from '#ui/data/find-search.ts'
import type { SearchParams } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { mayOpenEntry, menuEntries } from '../ui/menu.ts'
import { appScreens } from '../ui/screens.ts'
import { rankRecords } from './rank-records.ts'

/** A place to go to. `kind` is its label in the list. */
export type FindResult = {
  kind: string
  label: string
  alias?: string | undefined
  detail?: string | undefined
  archived?: boolean | undefined
  to: string
  search: SearchParams
}
export const getResultKey = ({ to, search }: FindResult) => `${to} ${JSON.stringify(search)}`

type FoundPlaces = { places: FindResult[]; searching: boolean; error: Error | undefined }

/** Returns the places that match these words and that the person may open, from the same endpoints as the screens. */
export function useFindResults(words: string, searches: readonly FindSearch[]): FoundPlaces {
  const me = useCurrentUser()
  const text = words.trim()
  const isSearch = text.length >= 2
  const matches = buildMatch(text)
  const screens = findScreens(me, matches)
  const answers = searches.map(({ endpoint, allow = endpoint.allow, query, params }) => {
    const single = params?.(text)
    // biome-ignore lint/correctness/useHookAtTopLevel: the same searches in the same order each time
    return useApi(endpoint, single ? { params: single } : query && { query: query(text) }, {
      enabled: isSearch && allow(me) && single !== null,
      quiet: true,
      keepPrevious: params === undefined,
    })
  })
  if (!isSearch) return { places: screens, searching: false, error: undefined }
  const records = searches.flatMap(({ record, kind, show }, index) => {
    const { data } = answers[index]!
    if (data === undefined) return []
    return rankRecords(show(data, matches), text)
      .slice(0, maxRecordsPerSearch)
      .map(({ id, label, alias, detail, archived }) => ({
        ...{ kind, label, alias, detail, archived },
        ...{ to: buildRecordPath(record, id), search: {} },
      }))
  })
  return {
    places: rankRecords([...screens, ...records], text),
    searching: answers.some(({ isFetching }) => isFetching),
    error: answers.find(({ error }) => error && error.status !== 404)?.error ?? undefined,
  }
}

function findScreens(me: CurrentUserDto | null, matches: MatchWords): FindResult[] {
  if (!me) return []
  const inMenu = menuEntries.filter((entry) => mayOpenEntry(me, entry) && matches(entry.label))
  const others = appScreens.flatMap(({ path, allow, find }) =>
    find && allow(me) && matches(...find) ? [{ path, label: find[0] }] : [],
  )
  return [...inMenu, ...others].map(({ path, label }) => ({ kind: 'Screen', label, to: path, search: {} }))
}

const buildMatch = (text: string): MatchWords => {
  const words = foldSearch(text).split(' ')
  return (...texts) => words.every((word) => texts.some((one) => one !== undefined && foldSearch(one).includes(word)))
}
