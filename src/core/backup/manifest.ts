import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { HttpError } from '../http/errors.ts'
import type { SecretBox } from '../secrets/secrets.ts'

/** What a backup says of itself; the last file that is written, so that a folder with one is whole. */
const manifestSchema = z.object({
  format: z.literal(1),
  made_at: z.string(),
  /** The last migration that its tables have gone through. */
  migration: z.string(),
  /** What only the right SECRET_KEY makes of a fixed word. */
  key: z.string(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int(), sha256: z.string() })),
  /** Where each counter of ids stands. */
  counters: z.array(z.object({ table: z.string(), column: z.string(), last: z.int() })),
  uploads: z.array(z.string()),
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
    throw new HttpError(422, `${folder} is no backup, or one that was not finished: it has no readable manifest.json`)
  }
}

export const createSha256 = () => createHash('sha256')
