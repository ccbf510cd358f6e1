import { useApi } from '#ui/data/useApi.ts'
import type { SelectChoice } from '#ui/filters/select-choice.ts'
import { adminsContract } from '../contract.ts'

/** Admins and super admins by name, who write items and do tasks. */
export function useColleagueChoices(enabled = true): SelectChoice<number>[] {
  const { data } = useApi(adminsContract.list, { query: { with_super_admin: 1 } }, { enabled, kept: true })
  return Object.values(data?.admins ?? {})
    .map(({ id, username }) => ({ value: id, label: username }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}
