import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { statementListContract } from '#domains/billing/statements/list/contract.ts'
import { useApi } from '#ui/data/useApi.ts'

/** Returns the campaign's newest statement, that of the cycle that runs; undefined while it is read, and for users who may not. */
export function useOpenStatement(me: CurrentUserDto, campaignId: number) {
  const query = { campaign_ids: [campaignId], per_page: 1 }
  const { data } = useApi(
    statementListContract.list,
    { query },
    { enabled: statementListContract.list.allow(me), quiet: true },
  )
  return data?.data[0]
}
