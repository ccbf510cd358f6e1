import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pino } from 'pino'
import { connectDatabase } from '#core/db/db.ts'
import { JobQueue } from '#core/jobs/jobs.ts'
import { projectRoot } from '#core/settings/settings.ts'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { until } from '#test/until.ts'

/** Starts a worker process that starts the job `long` and never finishes it. Resolves when the job has started. */
export async function hangingWorker(url: string): Promise<ChildProcess> {
  const program = `
    import { JobQueue } from '#core/jobs/jobs.ts'
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const jobs = new JobQueue(process.argv[1], log)
    const long = { name: 'long', run: () => { process.stdout.write('begun'); return new Promise(() => {}) } }
    await jobs.start([long])
    await jobs.work({}, [long])`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program, url], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout!, 'data')
  return child
}

/** Returns the seconds until the job of a killed worker runs in another. */
export async function takenOver(url: string): Promise<number> {
  const log = pino({ level: 'silent' })
  const { pool, db } = connectDatabase(url, log)
  let ran = false
  const long = defineJob({
    name: 'long',
    run: async () => {
      ran = true
    },
  })
  const other = new JobQueue(url, log)
  await other.start([long])
  await db.transaction((tx) => other.send(tx, long, {}))
  const worker = await hangingWorker(url)
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  const killed = performance.now()
  await other.work({} as AppContext, [long]) // this job uses no context
  await until(() => ran, 120)
  await other.stop()
  await pool.end()
  return (performance.now() - killed) / 1000
}
