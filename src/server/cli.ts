import { Command } from 'commander'
import { jobCommands } from './cli/jobs.ts'
import { complain } from './cli/open.ts'
import { seedCommand } from './cli/seed.ts'
import { userCommands } from './cli/users.ts'

/** The command line: what an operator does beside the screens. It works on the database of a running Leadline too. */
const program = new Command('leadline')
  .description("Leadline's command line. Settings come from the environment and .env, as for npm start.")
  .addCommand(userCommands())
  .addCommand(jobCommands())
  .addCommand(seedCommand())

process.stdout.on('error', () => {}) // `| head` has seen enough
try {
  await program.parseAsync()
} catch (error) {
  complain(error)
  process.exitCode = 1
}
