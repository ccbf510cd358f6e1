import { conflictError, HttpError } from '#core/http/errors.ts'
import { defineJob } from '#domains/app-context.ts'
import { assignWaitingLeads } from './assign-leads.ts'
import { pollAccounts } from './poll-accounts.ts'
import { callRailHistoryJob } from './read-history.ts'

/**
 * Looks every two minutes for what came in at the connected accounts of CallRail; the job finds out which of them are due. Before, leads that
 * wait for a client site of their company go to the one that it has by now.
 */
const callRailPollJob = defineJob({
  name: 'callrail-poll',
  cron: '* * * * *',
  retries: 0, // the next run is in a minute
  concurrency: 1,
  run: async (context) => {
    await assignWaitingLeads(context)
    const isByHand = !context.jobs.working
    const looks = await pollAccounts(context, new Date(), isByHand)
    for (const look of looks) if (look.stored > 0 || look.error) context.log.info(look, 'looked at CallRail’s lists')
    if (!isByHand) return // an error is said by the connection, and the next look is soon
    if (looks.length === 0) throw conflictError('No account of CallRail can be read now: see Connections')
    const error = looks.find((look) => look.error !== null)?.error
    if (error) throw new HttpError(503, `Not everything was read. ${error}`)
  },
})

export const callRailJobs = [callRailPollJob, callRailHistoryJob]
