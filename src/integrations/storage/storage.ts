import { chmodSync, createReadStream, mkdirSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { decodeXML } from 'entities'

/** Stores uploaded files. Keys are our own random names, never a user's. */
export type ObjectStore = {
  put(key: string, data: Buffer): Promise<void>
  /** Returns null if there is no such key. */
  get(key: string): Promise<Readable | null>
  /** Does nothing if there is no such key. */
  remove(key: string): Promise<void>
}

const folderMode = 0o750

type StorageSettings = {
  DATA_DIR: string
  S3_ENDPOINT?: string | undefined
  S3_REGION: string
  S3_BUCKET?: string | undefined
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
}

/** Opens the bucket of the settings, else a folder on this machine. */
export function openObjectStore(settings: StorageSettings): ObjectStore {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  if (!bucket || !accessKeyId || !secretAccessKey) return createFolderStore(join(settings.DATA_DIR, 'uploads'))
  const endpoint = settings.S3_ENDPOINT ?? `https://s3.${settings.S3_REGION}.amazonaws.com`
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region: settings.S3_REGION,
    service: 's3',
    retries: 3,
    initRetryMs: 100,
  })
  return createBucketStore(client, `${endpoint.replace(/\/+$/, '')}/${bucket}`)
}

/** Creates a store in a folder on this machine, closed to other accounts of it. Files are written atomically. */
export function createFolderStore(folder: string): ObjectStore {
  mkdirSync(folder, { recursive: true, mode: folderMode })
  if (statSync(folder).mode & 0o007) chmodSync(folder, folderMode) // made by an earlier version
  const path = (key: string) => join(folder, key.slice(0, 2), key)
  return {
    async put(key, data) {
      await mkdir(join(folder, key.slice(0, 2)), { recursive: true, mode: folderMode })
      const part = `${path(key)}.${crypto.randomUUID()}.part` // two processes may write the same key
      await writeFile(part, data, { flush: true, mode: 0o640 })
      await rename(part, path(key))
    },
    async get(key) {
      try {
        const handle = await open(path(key)) // fails here, not halfway through the response
        await handle.close()
        return createReadStream(path(key))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
    },
    async remove(key) {
      await rm(path(key), { force: true })
    },
  }
}

const requestTimeoutMs = 30_000

/** Returns the code and the message of S3's own error, without the keys and signatures that it repeats. */
const readRefusal = (xml: string): string[] =>
  ['Code', 'Message'].flatMap((name) => {
    const text = new RegExp(`<${name}>([^<]{1,300})</${name}>`).exec(xml)?.[1]
    return text ? [decodeXML(text)] : []
  })

/** Creates a store in a bucket of any S3-compatible service, with path-style addresses, which all of them support. */
function createBucketStore(client: AwsClient, address: string): ObjectStore {
  /** Returns null if there is no such key. */
  async function ask(method: 'PUT' | 'GET' | 'DELETE', key: string, body?: Buffer): Promise<Response | null> {
    const response = await client.fetch(`${address}/${key}`, {
      method,
      redirect: 'manual', // a bucket of another region: its answer says so
      signal: AbortSignal.timeout(requestTimeoutMs),
      ...(body && { body: new Uint8Array(body) }),
    })
    if (response.ok) return response
    const reason = await response.text()
    if (response.status === 404 && method !== 'PUT' && !reason.includes('NoSuchBucket')) return null
    throw new Error([`The store answered ${response.status} to ${method}`, ...readRefusal(reason)].join(': '))
  }
  return {
    async put(key, data) {
      await (await ask('PUT', key, data))?.body?.cancel()
    },
    async get(key) {
      const response = await ask('GET', key)
      if (!response) return null
      return response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]) // Node's own stream under the browser's type
    },
    async remove(key) {
      await (await ask('DELETE', key))?.body?.cancel()
    },
  }
}
