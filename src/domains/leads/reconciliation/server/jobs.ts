import { conflictError, HttpError } from '#core/http/errors.ts'
import { defineJob } from '#domains/app-context.ts'
import { isCallRailConfigured } from '#integrations/callrail/api.ts'
import { reconcileCallRail } from './reconcile.ts'

/** Finds calls that hooks lost in CallRail's list, hourly: CallRail never repeats an event. */
const callRailReconcileJob = defineJob({
  name: 'callrail-reconcile',
  cron: '17 * * * *',
  retries: 0, // requests are retried within the run, and the next run is in an hour
  run: async (context) => {
    if (!isCallRailConfigured(context.settings)) {
      if (context.jobs.working) return // no hourly error without CallRail
      throw conflictError('CallRail is not connected: set CALLRAIL_ACCOUNT_ID and CALLRAIL_API_KEY')
    }
    const { outcome, error, ...counts } = await reconcileCallRail(context)
    context.log.info({ outcome, ...counts }, 'compared calls with CallRail’s list')
    if (outcome !== 'done') throw new HttpError(503, `Not everything was compared with CallRail’s list. ${error}`)
  },
})

export const reconcileJobs = [callRailReconcileJob]
