import { text as readText } from 'node:stream/consumers'
import { z } from 'zod'
import { HttpError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { erasurePersonAad, erasuresTable } from '../schema.ts'
import { type ErasureContext, erasePerson } from './erase-person.ts'

/** The list's key in the upload store, which a database restore does not touch. */
const storeKey = 'erasures.json'

const listSchema = z.array(z.object({ list_key: z.string(), person: z.base64() }))
export type ErasureList = z.infer<typeof listSchema>

type ListContext = Pick<AppContext, 'db' | 'store'>

/** Reads the list from the store; empty if there is none yet. */
async function readErasureList(store: AppContext['store']): Promise<ErasureList> {
  const stored = await store.get(storeKey)
  return stored ? listSchema.parse(JSON.parse(await readText(stored))) : []
}

/** Writes the list to the store: its old entries and those of the database, all still encrypted. */
export async function saveErasureList({ db, store }: ListContext): Promise<void> {
  const known = await db
    .select({ list_key: erasuresTable.list_key, person: erasuresTable.person })
    .from(erasuresTable)
    .orderBy(erasuresTable.id)
  const inDatabase = new Set(known.map(({ list_key }) => list_key))
  const list: ErasureList = [
    ...(await readErasureList(store)).filter(({ list_key }) => !inDatabase.has(list_key)),
    ...known.map(({ list_key, person }) => ({ list_key, person: person.toString('base64') })),
  ]
  if (list.length > 0) await store.put(storeKey, Buffer.from(JSON.stringify(list)))
  // Two processes may save at once: whichever is last must have read all entries before.
  if ((await db.$count(erasuresTable)) > known.length) await saveErasureList({ db, store })
}

/** Parses a list that was stored elsewhere. Throws 422 if the text is not such a list. */
export function parseErasureList(text: string): ErasureList {
  const given = listSchema.safeParse(parseJson(text))
  if (!given.success) throw new HttpError(422, 'This file is not a list of erased people')
  return given.data
}

/** Adds the entries of another list to the stored one. */
export async function addToErasureList(store: AppContext['store'], given: ErasureList): Promise<void> {
  const list = await readErasureList(store)
  const known = new Set(list.map(({ list_key }) => list_key))
  await store.put(
    storeKey,
    Buffer.from(JSON.stringify([...list, ...given.filter(({ list_key }) => !known.has(list_key))])),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Repeats the list's erasures that this database does not have, after a restore from a backup. Returns how many. Throws
 * if an entry was encrypted with another key.
 */
export async function replayErasures(context: ListContext & ErasureContext): Promise<number> {
  const done = await context.db.select({ list_key: erasuresTable.list_key }).from(erasuresTable)
  const known = new Set(done.map(({ list_key }) => list_key))
  const missing = (await readErasureList(context.store)).filter(({ list_key }) => !known.has(list_key))
  for (const { list_key, person } of missing)
    await erasePerson(context, openPerson(context, list_key, person), { actor: { me: null }, listKey: list_key })
  if (done.length > 0) await saveErasureList(context)
  return missing.length
}

const personSchema = z.object({ phone: z.string(), email: z.string() })

function openPerson({ secrets }: Pick<AppContext, 'secrets'>, listKey: string, sealed: string) {
  try {
    return personSchema.parse(JSON.parse(secrets.open(Buffer.from(sealed, 'base64'), erasurePersonAad(listKey))))
  } catch {
    throw new HttpError(422, 'The list of erased people was encrypted with another SECRET_KEY: it cannot be replayed')
  }
}
