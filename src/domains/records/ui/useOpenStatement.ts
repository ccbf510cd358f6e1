import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { statementsContract } from '#domains/billing/statements/contract.ts'
import { useApi } from '#ui/data/useApi.ts'

/** Returns the campaign's newest statement, that of the cycle that runs; undefined while it is read, and for users who may not. */
export function useOpenStatement(me: CurrentUserDto, campaignId: number) {
  const query = { campaign_ids: [campaignId], per_page: 1 }
  const { data } = useApi(
    statementsContract.list,
    { query },
    { enabled: statementsContract.list.allow(me), quiet: true },
  )
  return data?.data[0]
}
