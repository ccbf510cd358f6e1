import { Command, CommanderError } from 'commander'

type CommandDefinition = (command: Command) => void

/** Each command with its line in the list of commands. Its code is loaded when called, because it includes most of the server. */
export const topCommands: Record<string, { description: string; load: () => Promise<CommandDefinition> }> = {
  user: {
    description: 'manage the accounts that may sign in',
    load: async () => (await import('./users.ts')).defineUserCommands,
  },
  import: {
    description: 'import data from a file',
    load: async () => (await import('./leads.ts')).defineImportCommand,
  },
  move: {
    description: 'move an agency from an older system that speaks the same calls',
    load: async () => (await import('./move.ts')).defineMoveCommand,
  },
  events: {
    description: 'list and replay the events that CallRail and the forms sent',
    load: async () => (await import('./leads.ts')).defineEventCommands,
  },
  run: { description: 'run a scheduled job now', load: async () => (await import('./jobs.ts')).defineJobCommand },
  recount: {
    description: 'rebuild the sums of leads for lists, statistics, chart and table',
    load: async () => (await import('./leads.ts')).defineRecountCommand,
  },
  backup: {
    description: 'write database and uploads into a new folder',
    load: async () => (await import('./backup.ts')).defineBackupCommand,
  },
  restore: {
    description: 'restore a backup into an empty database',
    load: async () => (await import('./backup.ts')).defineRestoreCommand,
  },
  'rotate-key': {
    description: 'replace the secret key and re-encrypt all secrets',
    load: async () => (await import('./key.ts')).defineKeyCommand,
  },
  'forget-key': {
    description: 'empty what a lost secret key encrypted',
    load: async () => (await import('./key.ts')).defineForgetKeyCommand,
  },
  seed: {
    description: 'fill an empty database with a sample agency',
    load: async () => (await import('./seed.ts')).defineSeedCommand,
  },
  backtest: {
    description: 'replay the past through a model',
    load: async () => (await import('./backtest.ts')).defineBacktestCommand,
  },
}

/** Runs a command and returns its exit code: 0; 1 after an error on standard error; 2 for a facts file with bad lines, a file that contradicts itself, or a move that is refused. */
export async function runCli(args: string[]): Promise<number> {
  const program = new Command('leadline')
    .description("Leadline's command line. Settings come from the environment and .env, as for npm start.")
    .addHelpText(
      'after',
      '\nnpm start serves Leadline, npm run demo a sample agency. docs/operating.md tells the rest.',
    )
    .exitOverride()
  for (const [name, { description, load }] of Object.entries(topCommands)) {
    const command = program.command(name).description(description)
    if (args.includes(name)) (await load())(command) // `user list`, and `help user`
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode // commander has printed the error
    const { getExitCode, printError } = await import('./run-command.ts')
    printError(error)
    return getExitCode(error)
  }
}
