import { flushCompileCache } from 'node:module'
import { getErrorMessage } from '#contract/error-message.ts'
import { exitWithMessage, startProcess } from './start-process.ts'

/** The server: opens the context, serves, and shuts down in order. */
const started = startProcess()
// The rest of the code loads while PostgreSQL starts: both take equally long.
const [{ announceShutdown }, { openContext }, { createApp }] = await Promise.all([
  import('#core/health/health.ts'),
  import('./context.ts'),
  import('./server.ts'),
])
const { context: appContext, close: closeApp } = await openContext({ started }).catch(exitWithMessage)
const { settings, log } = appContext
const app = settings.LEADLINE_ROLE === 'worker' ? null : await createApp(appContext)

let isStopping = false
async function stopServer(code: number) {
  if (isStopping) return
  isStopping = true
  if (app?.server.listening) await announceShutdown(appContext) // reports not ready first,
  await app?.close() // then accepts no new connections and finishes running requests
  await closeApp()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopServer(0))
process.on('uncaughtExceptionMonitor', (error) => log.error({ err: error }, 'uncaught exception'))
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))

try {
  const address = await app?.listen({ port: settings.PORT, host: settings.HOST })
  log.info({ address: address ?? 'none, a worker' }, 'serving')
  if (app) process.stdout.write(`Leadline is at ${settings.PUBLIC_URL}\n`)
  flushCompileCache() // else only an orderly end writes it, and a server that was killed starts slower
} catch (error) {
  process.stderr.write(`Cannot listen on ${settings.HOST} port ${settings.PORT}: ${getErrorMessage(error)}\n`)
  await stopServer(1)
}
