import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Ready, Statement } from './serve.ts'

/** A running side of the comparison, as bench/serve.ts starts it. */
export type BenchServer = Ready & {
  watch(run: () => Promise<unknown>): Promise<Statement[]>
  process: ChildProcess
  stop(): Promise<void>
}

export async function startBenchServer(name: 'ours' | 'floor', databaseUrl: string): Promise<BenchServer> {
  const child = fork(join(import.meta.dirname, 'serve.ts'), [name, databaseUrl], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [ready] = (await Promise.race([once(child, 'message'), failed(child)])) as [Ready]
  return {
    ...ready,
    process: child,
    async watch(run) {
      child.send('watch')
      await run()
      child.send('tell')
      const [seen] = (await once(child, 'message')) as [Statement[]]
      return seen
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

async function failed(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit')
  throw new Error(`bench/serve.ts ended with ${code}`)
}
