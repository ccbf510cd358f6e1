import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { buildQuery, getQueryKey, queryClient } from '#ui/data/useApi.ts'
import { type LeadDetail, leadDetailContract } from '../contract.ts'

const keepMs = 60_000
const detailQuery = (id: number) => ({
  ...buildQuery(leadDetailContract.read, { params: { id } }, { quiet: true }),
  staleTime: keepMs,
})

/** Reads what stands beside a lead's own fields. */
export const useLeadDetail = (id: number) => useQuery(detailQuery(id)) as UseQueryResult<LeadDetail> // held against the contract in the server's tests

/** Reads a lead that may be opened next. */
export const prefetchLead = (id: number) => void queryClient.prefetchQuery(detailQuery(id))

/** Changes what was read of a lead on its own, as a list's `patch` changes its row. */
export const patchLeadDetail: PatchLead = (id, fields) => {
  const queryKey = getQueryKey(leadDetailContract.read, { params: { id } })
  const known = queryClient.getQueryData<LeadDetail>(queryKey)
  if (!known) return () => {}
  // An answer on its way was read before the change, and would hide it.
  void queryClient.cancelQueries({ queryKey })
  const before = Object.fromEntries(Object.keys(fields).map((name) => [name, known[name as keyof LeadDetail]]))
  const write = (values: object) =>
    queryClient.setQueryData<LeadDetail>(queryKey, (detail) => detail && { ...detail, ...values })
  write(fields)
  return () => write(before)
}

/** One change for the table and the page of a lead alike. */
export const patchEverywhere =
  (patchRow: PatchLead): PatchLead =>
  (id, fields) => {
    const takeBacks = [patchRow(id, fields), patchLeadDetail(id, fields)]
    return () => {
      for (const takeBack of takeBacks) takeBack()
    }
  }
