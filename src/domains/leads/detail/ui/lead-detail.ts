import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { buildQuery, getQueryKey, queryClient } from '#ui/data/useApi.ts'
import { type LeadDetail, leadDetailContract } from '../contract.ts'

const keepMs = 60_000
const detailQuery = (id: number) => ({
  ...buildQuery(leadDetailContract.read, { params: { id } }, { quiet: true }),
  staleTime: keepMs,
})

/** Reads a lead with its related leads and history. */
export const useLeadDetail = (id: number) => useQuery(detailQuery(id)) as UseQueryResult<LeadDetail> // the server's tests check it against the contract

/** Reads a lead that may be opened next. */
export const prefetchLead = (id: number) => void queryClient.prefetchQuery(detailQuery(id))

/** Patches the cached lead of the pane, as a list's `patch` patches its row. */
export const patchLeadDetail: PatchLead = (id, fields) => {
  const queryKey = getQueryKey(leadDetailContract.read, { params: { id } })
  const known = queryClient.getQueryData<LeadDetail>(queryKey)
  if (!known) return () => {}
  // A pending response was read before the change and would overwrite it.
  void queryClient.cancelQueries({ queryKey })
  const before = Object.fromEntries(Object.keys(fields).map((name) => [name, known[name as keyof LeadDetail]]))
  const write = (values: object) =>
    queryClient.setQueryData<LeadDetail>(queryKey, (detail) => detail && { ...detail, ...values })
  write(fields)
  return () => write(before)
}

/** Returns a patch for both the table row and the cached lead. */
export const patchEverywhere =
  (patchRow: PatchLead): PatchLead =>
  (id, fields) => {
    const takeBacks = [patchRow(id, fields), patchLeadDetail(id, fields)]
    return () => {
      for (const takeBack of takeBacks) takeBack()
    }
  }
