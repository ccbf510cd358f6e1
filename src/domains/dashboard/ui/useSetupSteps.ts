import { useCurrentUser } from '#domains/access/ui/public.ts'
import { useApi } from '#ui/data/useApi.ts'
import { usePolling } from '#ui/data/usePolling.ts'
import { homeContract, type SetupStep } from '../contract.ts'

/** Returns the steps of a new agency; none once each is done or put off, and for those who do not set it up; undefined while unknown. */
export function useSetupSteps(): readonly SetupStep[] | undefined {
  const me = useCurrentUser()
  const maySetUp = homeContract.steps.allow(me ?? null)
  const { data, refetch } = useApi(homeContract.steps, undefined, { quiet: true, enabled: maySetUp })
  const isOpen = data?.some(({ done, later }) => !done && !later)
  // A step ticks itself, such as when the first lead has come in.
  usePolling(isOpen === true, 15_000, () => void refetch())
  if (!maySetUp || isOpen === false) return []
  return data
}
