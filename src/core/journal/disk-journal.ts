import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { getErrorCode } from '../error-code.ts'

export type JournalFile = { name: string; bytes: number }

/** Thrown when a write would exceed the size limit of this process's journal. */
class JournalFullError extends Error {}

/** Milliseconds after which an unfinished file counts as abandoned. */
const abandonedAfterMs = 600_000

/**
 * Stores texts on disk, one file each, until the database can take them. A file is flushed before it gets its final name, so that a
 * named file is complete even if the process was killed while writing. Every process that shares the folder may read and remove
 * files; names sort by time.
 */
export class DiskJournal {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #process = crypto.randomUUID()
  /** The sizes of the files that this process wrote and that still exist. */
  readonly #own = new Map<string, number>()
  /** The bytes of `#own` and of files that are being written. */
  #usedBytes = 0
  #count = 0
  #lastMs = 0

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder
    this.#maxBytes = maxBytes
  }

  /** Resolves when the text is on disk. `share` is the part of the size limit that may be used. */
  async write(text: string, share = 1): Promise<void> {
    const bytes = Buffer.byteLength(text)
    if (this.#usedBytes + bytes > this.#maxBytes * share)
      throw new JournalFullError(`The journal ${this.#folder} is full`)
    const name = this.#nextName()
    const [draft, path] = [join(this.#folder, `${name}.part`), join(this.#folder, name)]
    this.#usedBytes += bytes
    try {
      await this.#makeFolder()
      await flush(draft, 'wx', text)
      await rename(draft, path)
      await flush(this.#folder, 'r')
      this.#own.set(name, bytes)
    } catch (error) {
      this.#usedBytes -= bytes
      // The caller gets an error, so the text must not reappear later.
      for (const left of [draft, path]) await rm(left, { force: true }).catch(() => {})
      throw error
    }
  }

  /** Returns the files of all processes, the oldest first. */
  async list(): Promise<JournalFile[]> {
    const mine = [...this.#own.keys()]
    const names = (await unlessMissing(readdir(this.#folder))) ?? []
    const files: JournalFile[] = []
    for (const name of names.sort()) {
      const found = await unlessMissing(stat(join(this.#folder, name)))
      if (found && name.endsWith('.json')) files.push({ name, bytes: found.size })
      if (found && name.endsWith('.part') && Date.now() - found.mtimeMs > abandonedAfterMs) await this.remove(name)
    }
    const there = new Set(names)
    for (const name of mine) if (!there.has(name)) this.#forget(name)
    return files
  }

  /** Returns a file's text; null if another process has removed it. */
  read(name: string): Promise<string | null> {
    return unlessMissing(readFile(join(this.#folder, name), 'utf8'))
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true })
    this.#forget(name)
  }

  /** Renames a file so that it is skipped, for a person to check. */
  async setAside(name: string): Promise<void> {
    await unlessMissing(rename(join(this.#folder, name), join(this.#folder, `${name}.unusable`)))
  }

  #forget(name: string) {
    this.#usedBytes -= this.#own.get(name) ?? 0
    this.#own.delete(name)
  }

  /** Flushes a new folder's parent too, or a power failure could lose the folder with its files. */
  async #makeFolder() {
    const made = await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    if (made) await flush(dirname(this.#folder), 'r')
  }

  #nextName() {
    this.#count += 1
    this.#lastMs = Math.max(this.#lastMs, Date.now()) // a clock may be set back
    return `${String(this.#lastMs).padStart(14, '0')}-${String(this.#count).padStart(9, '0')}-${this.#process}.json`
  }
}

async function flush(path: string, flags: 'r' | 'wx', text?: string) {
  const file = await open(path, flags, 0o600)
  try {
    if (text !== undefined) await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function unlessMissing<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return null
    throw error
  }
}
