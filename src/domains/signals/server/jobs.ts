import { and, eq, isNull } from 'drizzle-orm'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { signalsTable } from '../schema.ts'
import { sendMessages } from '../watches/server/send-messages.ts'
import { probeSignal } from './probe.ts'
import { probeJob } from './probe-job.ts'
import { reviewRules } from './review-rules.ts'
import { runSignals } from './runner.ts'

/** Runs every minute; `npx leadline run signals` runs it manually. */
const runSignalsJob = defineJob({
  name: 'signals',
  cron: '* * * * *',
  retries: 0, // the next run finds the rest
  run: async (context) => {
    const counts = await runSignals(context)
    if (!context.jobs.working) await probeUnprobed(context) // no worker runs the queued probes
    await sendMessages(context)
    context.log.info(counts, 'signals')
  },
})

/** Probes the silent sources without a probe so far. */
export async function probeUnprobed(context: AppContext): Promise<void> {
  const silent = await context.db
    .select({ id: signalsTable.id })
    .from(signalsTable)
    .where(
      and(
        isNull(signalsTable.closed_at),
        isNull(signalsTable.probed_at),
        eq(signalsTable.detected_kind, 'source_silent'),
      ),
    )
  for (const { id } of silent) await probeSignal(context, id)
}

/** Probes a silent source as soon as it is found. */
const probeSignalJob = defineJob<{ id: number }>({
  ...probeJob,
  retries: 2,
  run: async (context, { id }) => {
    await probeSignal(context, id)
    await runSignals(context)
  },
})

const ruleReviewJob = defineJob({ name: 'rule-review', cron: '10 4 * * *', run: reviewRules })

export const signalsJobs = [runSignalsJob, probeSignalJob, ruleReviewJob]
