import { conflictError, HttpError } from '#core/http/errors.ts'
import { defineJob } from '#domains/app-context.ts'
import { isCallRailConfigured } from '#integrations/callrail/api.ts'
import { reconcileCallRail } from './reconcile.ts'

/** CallRail never repeats an event. What its hooks lost is found in its list, by the hour. */
const callRailReconcileJob = defineJob({
  name: 'callrail-reconcile',
  cron: '17 * * * *',
  retries: 0, // it has retried by itself, and the next hour tries again
  run: async (context) => {
    if (!isCallRailConfigured(context.settings)) {
      if (context.jobs.working) return // without CallRail an hourly error would help no one
      throw conflictError('CallRail is not connected: set CALLRAIL_ACCOUNT_ID and CALLRAIL_API_KEY')
    }
    const { outcome, error, ...counts } = await reconcileCallRail(context)
    context.log.info({ outcome, ...counts }, 'compared with the list of CallRail')
    if (outcome !== 'done') throw new HttpError(503, `Not everything was compared with CallRail’s list. ${error}`)
  },
})

export const reconcileJobs = [callRailReconcileJob]
