import { conflict, Refusal } from '#core/http/errors.ts'
import { job } from '#core/jobs/jobs.ts'
import { isConnected } from '#integrations/callrail/api.ts'
import { reconcile } from './reconcile.ts'

/** CallRail never repeats an event. What its hooks lost is found in its list, by the hour. */
const callRailReconcile = job({
  name: 'callrail-reconcile',
  cron: '17 * * * *',
  retries: 0, // it has tried patiently, and the next hour tries again
  run: async (house) => {
    if (!isConnected(house.settings)) {
      if (house.jobs.working) return // nobody who has no CallRail wants to hear of it by the hour
      throw conflict('CallRail is not connected: set CALLRAIL_ACCOUNT_ID and CALLRAIL_API_KEY')
    }
    const { outcome, error, ...counts } = await reconcile(house)
    house.log.info({ outcome, ...counts }, 'compared with the list of CallRail')
    if (outcome !== 'done') throw new Refusal(503, `Not everything was compared with CallRail’s list. ${error}`)
  },
})

export const reconcileJobs = [callRailReconcile]
