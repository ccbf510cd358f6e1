import { type Command, InvalidArgumentError } from 'commander'
import type { House } from '#core/app-context.ts'
import { demoPassword, seedAgency } from '../demo/seed.ts'
import { say, withHouse } from './run-command.ts'

export function seedCommand(command: Command): void {
  command
    .description('fill an empty database with a believable agency')
    .option('--leads <number>', 'about how many leads, over two years', howMany, 30_000)
    .action(({ leads }: { leads: number }) => withHouse((house) => seed(house, leads)))
}

function howMany(text: string): number {
  if (!/^\d{1,7}$/.test(text) || Number(text) > 1_000_000)
    throw new InvalidArgumentError('It is a number up to 1000000.')
  return Number(text)
}

async function seed(house: House, leads: number) {
  const made = await seedAgency(house, leads)
  say(`${made.leads} leads in ${made.campaigns} campaigns of ${made.clients} clients`)
  say(
    `Everybody's password is ${demoPassword}; sign in as olivia (super admin), morgan (admin) or harper (leads handler)`,
  )
}
