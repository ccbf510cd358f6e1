import { sayGoodbye } from '#core/health/health.ts'
import { openHouse } from './context.ts'
import { createApp } from './server.ts'

/** The server: opens the house, serves, and leaves in good order. */
const { house, close } = await openHouse()
const { settings, log } = house
const app = settings.LEADLINE_ROLE === 'worker' ? null : await createApp(house)

let leaving = false
async function leave(code: number) {
  if (leaving) return
  leaving = true
  if (app?.server.listening) await sayGoodbye(house) // not ready first,
  await app?.close() // then nobody new comes in, and what runs is finished
  await close()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => leave(0))
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))

try {
  const address = await app?.listen({ port: settings.PORT, host: settings.HOST })
  log.info({ address: address ?? 'none, a worker' }, 'serving')
  if (app) process.stdout.write(`Leadline is at ${settings.PUBLIC_URL}\n`)
} catch (error) {
  process.stderr.write(
    `Cannot listen on ${settings.HOST} port ${settings.PORT}: ${error instanceof Error ? error.message : error}\n`,
  )
  await leave(1)
}
