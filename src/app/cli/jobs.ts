import type { Command } from 'commander'
import { HttpError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { allJobs } from '../server/routes.ts'
import { printLine, withAppContext } from './run-command.ts'

export function defineJobCommand(command: Command): void {
  command
    .description(`do a scheduled job now: ${listScheduledJobs().join(', ') || 'there is none yet'}`)
    .argument('<job>')
    .action((name: string) => withAppContext((context) => runScheduledJob(context, name)))
}

/** Jobs without a schedule need to be told about what; only the others can be run by name. */
const listScheduledJobs = () => allJobs.flatMap((job) => (job.cron ? [job.name] : []))

/** In this process, whether or not another one is at it: every job survives running twice. */
async function runScheduledJob(context: AppContext, name: string) {
  const job = allJobs.find((one) => one.name === name && one.cron)
  if (!job)
    throw new HttpError(
      404,
      `There is no scheduled job ${name}; there is: ${listScheduledJobs().join(', ') || 'none yet'}`,
    )
  await job.run(context, {} as never) // a scheduled job is sent nothing
  printLine(`${name} is done`)
}
