import { runCli } from './program.ts'

/** `npx leadline …`: the operator's command line. */
process.stdout.on('error', () => {}) // `| head` closes the pipe early
process.exitCode = await runCli(process.argv.slice(2))
