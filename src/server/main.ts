import { createApp } from './app.ts'
import { openHouse } from './start.ts'

/** The server: opens the house, serves, and leaves in good order. */
const { house, close } = await openHouse()
const { settings, log } = house
const app = settings.LEADLINE_ROLE === 'worker' ? null : await createApp(house)
if (app) {
  const address = await app.listen({ port: settings.PORT, host: settings.HOST })
  log.info({ address }, 'serving')
  process.stdout.write(`Leadline is at ${settings.PUBLIC_URL}\n`)
}

let leaving = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, async () => {
    if (leaving) return
    leaving = true
    await app?.close() // not ready first, then what runs is finished
    await close()
    process.exit(0)
  })
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
