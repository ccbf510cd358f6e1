import { useEffect } from 'react'
import { useSearchParams } from './search-params.ts'

/**
 * Renames query parameters: links use the specification's names, `?category_id=3`, where the list's filter has another name,
 * `category`. Returns whether the address uses the list's names already: wait for that before querying.
 */
export function useParamAliases(names: Readonly<Record<string, string>>): boolean {
  const [search, write] = useSearchParams()
  const isForeign = Object.keys(names).some((name) => name in search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: callers pass a literal that never changes.
  useEffect(() => {
    if (!isForeign) return
    write(
      (before) => Object.fromEntries(Object.entries(before).map(([name, value]) => [names[name] ?? name, value])),
      true,
    )
  }, [isForeign, write])
  return !isForeign
}
