import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { z } from 'zod'
import { HttpError } from '../http/errors.ts'
import type { SecretBox } from '../secrets/secrets.ts'

/** Describes a backup. Written last, so that a folder with a manifest is complete. */
const manifestSchema = z.object({
  format: z.literal(1),
  made_at: z.string(),
  /** The last migration of the backed-up database. */
  migration: z.string(),
  /** The signature of a fixed text, which only the right SECRET_KEY produces. */
  key: z.string(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int(), sha256: z.string() })),
  /** The last value of each id sequence. */
  counters: z.array(z.object({ table: z.string(), column: z.string(), last: z.int() })),
  uploads: z.array(z.object({ key: z.string(), sha256: z.string() })),
})
export type BackupManifest = z.infer<typeof manifestSchema>

export const manifestPath = (folder: string) => join(folder, 'manifest.json')
export const tableFilePath = (folder: string, name: string) => join(folder, 'tables', `${name}.copy.gz`)
export const uploadFilePath = (folder: string, key: string) => join(folder, 'uploads', key)

export const createKeyCheck = (secrets: SecretBox) => secrets.sign('Leadline backup')

export function readManifest(folder: string): BackupManifest {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(manifestPath(folder), 'utf8')))
  } catch {
    throw new HttpError(422, `${folder} is not a complete backup: it has no readable manifest.json`)
  }
}

export const hashBytes = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Creates a stream that passes on what it hashes. */
export function createHashingStream() {
  const hash = createHash('sha256')
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => hash.update(chunk))
  return { stream, digest: () => hash.digest('hex') }
}
