import { Command, CommanderError } from 'commander'

type CommandDefinition = (command: Command) => void

/** Each command with what the list of all says about it. Its code is loaded when it is called: all of it is that of the server. */
export const topCommands: Record<string, { description: string; load: () => Promise<CommandDefinition> }> = {
  user: { description: 'who may sign in', load: async () => (await import('./users.ts')).defineUserCommands },
  import: {
    description: 'bring data in from a file',
    load: async () => (await import('./leads.ts')).defineImportCommand,
  },
  events: {
    description: 'what CallRail and the forms sent',
    load: async () => (await import('./leads.ts')).defineEventCommands,
  },
  run: { description: 'do a scheduled job now', load: async () => (await import('./jobs.ts')).defineJobCommand },
  recount: {
    description: 'add up all leads again for lists, statistics, chart and table',
    load: async () => (await import('./leads.ts')).defineRecountCommand,
  },
  backup: {
    description: 'write database and uploads into a new folder',
    load: async () => (await import('./backup.ts')).defineBackupCommand,
  },
  restore: {
    description: 'put a backup into an empty database',
    load: async () => (await import('./backup.ts')).defineRestoreCommand,
  },
  'rotate-key': {
    description: 'replace the secret key and encrypt again what it opens',
    load: async () => (await import('./key.ts')).defineKeyCommand,
  },
  seed: {
    description: 'fill an empty database with a believable agency',
    load: async () => (await import('./seed.ts')).defineSeedCommand,
  },
  backtest: {
    description: 'replay the past through a model',
    load: async () => (await import('./backtest.ts')).defineBacktestCommand,
  },
}

/** Does what the arguments say, and answers the exit code: 0; 1 after saying on standard error what was wrong; 2 for a file of facts with bad lines. */
export async function runCli(args: string[]): Promise<number> {
  const program = new Command('leadline')
    .description("Leadline's command line. Settings come from the environment and .env, as for npm start.")
    .exitOverride()
  for (const [name, { description, load }] of Object.entries(topCommands)) {
    const command = program.command(name).description(description)
    if (args.includes(name)) (await load())(command) // `user list`, and `help user`
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode // it has said so itself
    const { getExitCode, printError } = await import('./run-command.ts')
    printError(error)
    return getExitCode(error)
  }
}
