import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'
import { setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { pathOf, visit } from '#test/visit.ts'

/** `npm run dev`, on the database of the test. */
const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
const folder = mkdtempSync(join(tmpdir(), 'leadline-dev-'))
afterAll(() => rmSync(folder, { recursive: true }))
const dev = await setUp(startDev())

async function startDev() {
  const [port, webPort] = [await findFreePort(), await findFreePort()]
  const web = ['--host', '127.0.0.1', '--port', webPort, '--strictPort']
  const child = spawn(process.execPath, ['bin/leadline.mjs', 'dev', ...web], {
    cwd: projectRoot,
    env: {
      PATH: process.env.PATH,
      PORT: port,
      DATABASE_URL: app.context.pool.options.connectionString,
      DATA_DIR: folder,
      SECRET_KEY: '5e'.repeat(32),
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const ended = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url: `http://127.0.0.1:${webPort}`, countStarts: () => output.split('Leadline is at').length - 1, close }
}

async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

test('one stays signed in when a page is loaded again', async () => {
  await until(dev.countStarts)
  const page = await visit({ ...app, url: dev.url }, root, '/campaigns')
  const open = page.getByRole('heading', { name: 'Campaigns' }).or(page.getByRole('button', { name: 'Log in' }))
  await open.waitFor()
  await page.reload()
  await open.waitFor()
  expect(pathOf(page)).toBe('/campaigns')
})

test('the server restarts each time that one of its files is replaced', async () => {
  const file = join(projectRoot, 'src/core/http/errors.ts')
  const copy = join(projectRoot, 'node_modules/.leadline-errors.ts') // on the same disk
  for (let time = 0; time < 2; time++) {
    const starts = await until(dev.countStarts)
    copyFileSync(file, copy)
    renameSync(copy, file) // as editors and git do
    await until(() => dev.countStarts() > starts)
  }
})
