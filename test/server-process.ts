import { type ChildProcess, spawn } from 'node:child_process'
import { projectRoot } from '#core/settings/settings.ts'
import { builtProgram } from '../bin/build-server.mjs'

/** What every spawned program has: a cache of compiled code saves a fifth of a start, and drills start a server twenty times. */
export const programEnvironment = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

/** The built server as a separate process, with only the given settings. It must be built already: tests build it in test/global-setup.ts. */
export type ServerProcess = { child: ChildProcess; output: () => string }
export type ListeningServer = ServerProcess & { url: string }

export function run(settings: Record<string, string | undefined>): ServerProcess {
  const child = spawn(process.execPath, [builtProgram('server')], {
    cwd: projectRoot,
    env: { ...programEnvironment, PORT: '0', ...settings },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk
    })
  return { child, output: () => text }
}

/** Starts the server and waits until it listens, which is after its migrations. Throws with its output if it exits first. */
export async function startServer(settings: Record<string, string | undefined>): Promise<ListeningServer> {
  const { child, output } = run(settings)
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const found = /"address":"([^"]+)"/.exec(output())?.[1]
      if (found) resolve(found)
    }
    child.stdout?.on('data', look)
    child.on('exit', (code) => reject(new Error(`exit ${code}: ${output()}`)))
  })
  return { child, url, output }
}

/** Stops the server, if it still runs, and returns its exit code. */
export function stopServer({ child }: ServerProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    child.on('exit', resolve)
    child.kill(signal)
  })
}
