import { on } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { hashPassword, noPasswordHash, notArrivedHash, verifyPassword } from './passwords.ts'
import { readSecretKey } from './secrets.ts'

const createDataDir = () => mkdtempSync(join(tmpdir(), 'leadline-key-'))

/** Reads the key of each folder as soon as its gate opens. */
const reader = `
  import { parentPort, workerData } from 'node:worker_threads'
  import { readSecretKey } from ${JSON.stringify(new URL('./secrets.ts', import.meta.url).href)}
  for (const [round, DATA_DIR] of workerData.folders.entries()) {
    parentPort.postMessage('ready')
    Atomics.wait(workerData.gate, 0, round)
    parentPort.postMessage(readSecretKey({ DATA_DIR }))
  }`

test('processes that start together for the first time get one key, in a file of its owner', async () => {
  const folders = Array.from({ length: 12 }, createDataDir)
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const script = new URL(`data:text/javascript,${encodeURIComponent(reader)}`)
  const workers = Array.from({ length: 4 }, () => on(new Worker(script, { workerData: { folders, gate } }), 'message'))
  const hearAll = async () => (await Promise.all(workers.map((worker) => worker.next()))).flatMap(({ value }) => value)
  for (const folder of folders) {
    await hearAll()
    Atomics.add(gate, 0, 1)
    Atomics.notify(gate, 0)
    const keys = await hearAll()
    const file = join(folder, 'secret.key')
    const key = readFileSync(file, 'utf8')
    expect([key.length, keys, readdirSync(folder)]).toEqual([64, [key, key, key, key], ['secret.key']])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  }
})

test.each(['', 'not a key'])('a file that holds %j is refused: such a key would protect nothing', (text) => {
  const DATA_DIR = createDataDir()
  writeFileSync(join(DATA_DIR, 'secret.key'), text)
  expect(() => readSecretKey({ DATA_DIR })).toThrow('must be 64 hexadecimal digits')
})

test('a letter with an accent is the same in a password, of one character or of two', async () => {
  const [one, two] = ['Mot\u00f6rhead 9', 'Moto\u0308rhead 9']
  const older = await hash(two)
  const matches = [
    ...[await verifyPassword(two, await hashPassword(one)), await verifyPassword(one, await hashPassword(two))],
    ...[await verifyPassword(two, older), await verifyPassword('Motorhead 9', await hashPassword(one))],
  ]
  expect(matches).toEqual([true, true, true, false])
})

test.each([noPasswordHash, notArrivedHash, undefined])(
  'no password opens an account that has none (%s)',
  async (hash) => {
    for (const typed of ['', ' ', 'a password', noPasswordHash, notArrivedHash])
      expect(await verifyPassword(typed, hash)).toBe(false)
  },
)
