import { Command, CommanderError } from 'commander'
import { InvalidFactsError } from '#domains/insights/public.ts'
import { defineBacktestCommand } from './backtest.ts'
import { defineBackupCommand, defineRestoreCommand } from './backup.ts'
import { defineJobCommand } from './jobs.ts'
import { defineKeyCommand } from './key.ts'
import { defineEventCommands, defineImportCommand, defineRecountCommand } from './leads.ts'
import { printError } from './run-command.ts'
import { defineSeedCommand } from './seed.ts'
import { defineUserCommands } from './users.ts'

/** Does what the arguments say, and answers the exit code: 0; 1 after saying on standard error what was wrong; 2 for a file of facts with bad lines. */
export async function runCli(args: string[]): Promise<number> {
  const program = new Command('leadline')
    .description("Leadline's command line. Settings come from the environment and .env, as for npm start.")
    .exitOverride()
  defineUserCommands(program.command('user'))
  defineImportCommand(program.command('import'))
  defineEventCommands(program.command('events'))
  defineJobCommand(program.command('run'))
  defineRecountCommand(program.command('recount'))
  defineBackupCommand(program.command('backup'))
  defineRestoreCommand(program.command('restore'))
  defineKeyCommand(program.command('rotate-key'))
  defineSeedCommand(program.command('seed'))
  defineBacktestCommand(program.command('backtest'))
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode // it has said so itself
    printError(error)
    return error instanceof InvalidFactsError ? 2 : 1
  }
}
