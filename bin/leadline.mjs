#!/usr/bin/env node
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBrowser } from './browser.mjs'
import { buildWeb } from './build.mjs'
import { buildServer, builtProgram } from './build-server.mjs'
import { findDevPort } from './dev-port.mjs'
import { install } from './install.mjs'
import { ensureNode } from './node.mjs'
import { release } from './release.mjs'
import { reportSizes } from './report-sizes.mjs'
import { root, say } from './root.mjs'
import { run, runAll, runProgram } from './run.mjs'

/**
 * The entry point of Leadline: `npm start`, `npm test` and the other scripts, and the command line (`npx leadline user …`).
 * Plain JavaScript for any Node from 20 on, without packages: it installs them. A step that was done before costs next to
 * nothing.
 */
const [command = 'help', ...args] = process.argv.slice(2)

const tool = (path) => join(root, 'node_modules', path)
/** Runs our TypeScript from source. Absolute paths: the command line may be called from another directory. */
const server = (file, ...options) => [
  '--import',
  pathToFileURL(tool('tsx/dist/loader.mjs')).href,
  join(root, file),
  ...options,
]
const vitest = tool('vitest/vitest.mjs')

const commands = {
  async build() {
    await buildAll()
    return 0
  },
  async start() {
    await buildAll()
    return runProgram(builtProgram('server'), args)
  },
  async demo() {
    await buildAll()
    return runProgram(builtProgram('demo'), args)
  },
  async dev() {
    const api = `http://127.0.0.1:${findDevPort(process.env, join(root, '.env'))}`
    return runAll([
      {
        // Not `node --watch`, which loses a file that is replaced instead of written.
        args: [tool('tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', 'src/app/server/main.ts'],
        env: { APP_ENV: process.env.APP_ENV ?? 'development' },
      },
      { args: [tool('vite/bin/vite.js'), ...args], env: { LEADLINE_API: api } },
    ])
  },
  async test() {
    ensureBrowser()
    // test/global-setup.ts waits for the builds, which begin while Vitest starts.
    const [code] = await Promise.all([run([vitest, 'run', ...args], { BUILD_WEB: '1' }), buildAll()])
    return code
  },
  async check() {
    const steps = [
      [tool('typescript/bin/tsc'), '-p', '.'],
      [tool('typescript/bin/tsc'), '-p', 'tsconfig.server.json'],
      [tool('typescript/bin/tsc'), '-p', 'tsconfig.web.json'],
      [tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'],
      [vitest, 'run', '--project', 'rules'],
    ]
    for (const step of steps) {
      const code = await run(step)
      if (code !== 0) return code
    }
    reportSizes()
    return 0
  },
  requirements: () => run([vitest, 'run', '--project', 'requirements', '--update']),
  async gallery() {
    await buildAll()
    ensureBrowser()
    return run(server('gallery/run.ts', ...args))
  },
  async machines() {
    await buildAll()
    const [first, ...rest] = args
    return first === '--citus' ? run(server('machines/citus.ts', ...rest)) : run(server('machines/run.ts', ...args))
  },
  async bench() {
    await buildAll()
    return run(server('bench/run.ts', ...args))
  },
  async soak() {
    await buildServer()
    return run(server('soak/run.ts', ...args))
  },
  release: () => release(args),
}

/** What these take: a port that is asked for in another way than by PORT must not be passed over. */
const options = { build: [], start: [], demo: ['--fresh'], check: [], requirements: [] }

function assertArguments() {
  const known = Object.hasOwn(options, command) ? options[command] : args
  const unknown = args.find((one) => !known.includes(one))
  if (unknown)
    throw new Error(
      `${command} does not take ${unknown}. Settings come from the environment, as in PORT=4000 npm start`,
    )
}

/** The command line resolves files relative to where it was called; npm runs scripts at the top of the checkout. */
const commandLine = async () => {
  await buildServer()
  return runProgram(builtProgram('leadline'), [command, ...args], process.env.INIT_CWD ?? process.cwd())
}

const buildAll = () => Promise.all([buildWeb(), buildServer()])

try {
  assertArguments()
  await Promise.all([ensureNode(), install()])
  process.exitCode =
    (await (Object.hasOwn(commands, command) ? commands[command]() : commandLine())) ?? process.exitCode
} catch (error) {
  say(error.message)
  process.exitCode = 1
}
