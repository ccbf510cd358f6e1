import { basename } from 'node:path'
import { run } from './run.mjs'

/** Runs the npm that started us, not the first one on the path. Throws when it fails. */
export async function npm(...args) {
  const cli = process.env.npm_execpath ?? ''
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const own = basename(cli) === 'npm-cli.js'
  const code = own
    ? await run([cli, ...args, ...quiet], {}, undefined, process.execPath)
    : await run([...args, ...quiet], {}, undefined, 'npm')
  if (code !== 0) throw new Error(`npm ${args[0]} failed (${code})`)
}
