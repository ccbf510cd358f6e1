import type { Command } from 'commander'
import type { House } from '#core/app-context.ts'
import { Refusal } from '#core/http/errors.ts'
import { jobs } from '../server/routes.ts'
import { say, withHouse } from './run-command.ts'

export function jobCommand(command: Command): void {
  command
    .description(`do a scheduled job now: ${scheduled().join(', ') || 'there is none yet'}`)
    .argument('<job>')
    .action((name: string) => withHouse((house) => runNow(house, name)))
}

/** Jobs without a schedule need to be told about what; only the others can be run by name. */
const scheduled = () => jobs.flatMap((job) => (job.cron ? [job.name] : []))

/** In this process, whether or not another one is at it: every job survives running twice. */
async function runNow(house: House, name: string) {
  const job = jobs.find((one) => one.name === name && one.cron)
  if (!job)
    throw new Refusal(404, `There is no scheduled job ${name}; there is: ${scheduled().join(', ') || 'none yet'}`)
  await job.run(house, {} as never) // a scheduled job is sent nothing
  say(`${name} is done`)
}
