import type { Command } from 'commander'
import { HttpError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { allJobs } from '../server/parts.ts'
import { printLine, withAppContext } from './run-command.ts'

export function defineJobCommand(command: Command): void {
  command
    .description(`run a scheduled job now: ${listScheduledJobs().join(', ') || 'none yet'}`)
    .argument('<job>')
    .action((name: string) => withAppContext((context) => runScheduledJob(context, name)))
}

/** Jobs without a schedule need data, so only scheduled ones can be run by name. */
const listScheduledJobs = () => allJobs.flatMap((job) => (job.cron ? [job.name] : []))

/** Runs the job in this process, even if another process is running it: every job is safe to run twice. */
async function runScheduledJob(context: AppContext, name: string) {
  const job = allJobs.find((one) => one.name === name && one.cron)
  if (!job)
    throw new HttpError(
      404,
      `There is no scheduled job ${name}. The jobs are: ${listScheduledJobs().join(', ') || 'none yet'}`,
    )
  await job.run(context, {} as never) // scheduled jobs take no data
  printLine(`${name} is done`)
}
