import { useApi } from '#ui/data/useApi.ts'
import type { Choice } from '#ui/filters/ChoiceFilter.tsx'
import { admins } from '../contract.ts'

/** Admins and super admins by name: who writes items and does tasks. */
export function useColleagueChoices(enabled = true): Choice<number>[] {
  const { data } = useApi(admins.list, { query: { with_super_admin: 1 } }, { enabled })
  return Object.values(data?.admins ?? {})
    .map(({ id, username }) => ({ value: id, label: username }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}
