import { useEffect } from 'react'
import { useSearchParams } from './search-params.ts'

/**
 * Pages are linked to with the specification's own parameters, `?category_id=3`, where a list's filter has another name,
 * `category`. Answers whether the address is in the list's words already: until then nothing need be asked.
 */
export function useParamAliases(names: Readonly<Record<string, string>>): boolean {
  const [search, write] = useSearchParams()
  const isForeign = Object.keys(names).some((name) => name in search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `names` is written at the call, and stays the same.
  useEffect(() => {
    if (!isForeign) return
    write(
      (before) => Object.fromEntries(Object.entries(before).map(([name, value]) => [names[name] ?? name, value])),
      true,
    )
  }, [isForeign, write])
  return !isForeign
}
