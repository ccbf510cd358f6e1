import { type Command, InvalidArgumentError } from 'commander'
import type { AppContext } from '#domains/app-context.ts'
import { printLine, withAppContext } from './run-command.ts'

export function defineSeedCommand(command: Command): void {
  command
    .description('fill an empty database with a sample agency')
    .option('--leads <number>', 'approximate number of leads, over two years', parseLeadCount, 30_000)
    .action(({ leads }: { leads: number }) => withAppContext((context) => runSeed(context, leads)))
}

function parseLeadCount(text: string): number {
  if (!/^\d{1,7}$/.test(text) || Number(text) > 1_000_000)
    throw new InvalidArgumentError('Must be a number up to 1000000.')
  return Number(text)
}

async function runSeed(context: AppContext, leads: number) {
  const { demoPassword, seedAgency } = await import('../demo/seed.ts') // no other command needs the demo
  const made = await seedAgency(context, leads)
  printLine(`${made.leads} leads in ${made.campaigns} campaigns of ${made.clients} clients`)
  printLine(
    `Every account's password is ${demoPassword}; sign in as olivia (super admin), morgan (admin) or harper (leads handler)`,
  )
}
