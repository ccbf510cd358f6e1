import { createReadStream } from 'node:fs'
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** Where uploaded bytes lie. Keys are our own random names, never a person's. */
export type Store = {
  put(key: string, data: Buffer): Promise<void>
  get(key: string): Promise<Readable>
}

/** A folder on this machine. A file appears whole or not at all. */
export function folderStore(folder: string): Store {
  const path = (key: string) => join(folder, key.slice(0, 2), key)
  return {
    async put(key, data) {
      await mkdir(join(folder, key.slice(0, 2)), { recursive: true })
      await writeFile(`${path(key)}.part`, data, { flush: true })
      await rename(`${path(key)}.part`, path(key))
    },
    async get(key) {
      const handle = await open(path(key)) // fails here, not halfway through the answer
      await handle.close()
      return createReadStream(path(key))
    },
  }
}
