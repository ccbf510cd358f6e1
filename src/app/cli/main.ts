import { runCli } from './program.ts'

/** `npx leadline …`: what an operator does beside the screens. */
process.stdout.on('error', () => {}) // `| head` has seen enough
process.exitCode = await runCli(process.argv.slice(2))
