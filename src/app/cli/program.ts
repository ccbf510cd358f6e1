import { Command, CommanderError } from 'commander'
import { backupCommand, restoreCommand } from './backup.ts'
import { jobCommand } from './jobs.ts'
import { keyCommand } from './key.ts'
import { eventCommands, importCommand, recountCommand } from './leads.ts'
import { complain } from './run-command.ts'
import { seedCommand } from './seed.ts'
import { userCommands } from './users.ts'

/** Does what the arguments say, and answers the exit code: 0, or 1 after saying on standard error what was wrong. */
export async function run(args: string[]): Promise<number> {
  const program = new Command('leadline')
    .description("Leadline's command line. Settings come from the environment and .env, as for npm start.")
    .exitOverride()
  userCommands(program.command('user'))
  importCommand(program.command('import'))
  eventCommands(program.command('events'))
  jobCommand(program.command('run'))
  recountCommand(program.command('recount'))
  backupCommand(program.command('backup'))
  restoreCommand(program.command('restore'))
  keyCommand(program.command('rotate-key'))
  seedCommand(program.command('seed'))
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode // it has said so itself
    complain(error)
    return 1
  }
}
