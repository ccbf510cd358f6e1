import { text as readText } from 'node:stream/consumers'
import { z } from 'zod'
import type { Db } from '#core/db/db.ts'
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

/** Writes the list to the store: its old entries, also those under an older key, and those of the database, all still encrypted. */
export async function saveErasureList({ db, store }: ListContext): Promise<void> {
  const known = await db
    .select({ list_key: erasuresTable.list_key, person: erasuresTable.person })
    .from(erasuresTable)
    .orderBy(erasuresTable.id)
  const inDatabase = known.map(({ list_key, person }) => ({ list_key, person: person.toString('base64') }))
  await addToErasureList(store, inDatabase)
  // Two processes may save at once: whichever is last must have read all entries before.
  if ((await db.$count(erasuresTable)) > known.length) await saveErasureList({ db, store })
}

/** Parses a list that was stored elsewhere. Throws 422 if the text is not such a list. */
export function parseErasureList(text: string): ErasureList {
  const given = listSchema.safeParse(parseJson(text))
  if (!given.success) throw new HttpError(422, 'This file is not a list of erased people')
  return given.data
}

/** Adds entries to the stored list, which may have a person several times: a backup may need one under an older key. */
export async function addToErasureList(store: AppContext['store'], given: ErasureList): Promise<void> {
  const all = [...(await readErasureList(store)), ...given]
  const list = [...new Map(all.map((entry) => [`${entry.list_key} ${entry.person}`, entry])).values()]
  if (list.length > 0) await store.put(storeKey, Buffer.from(JSON.stringify(list)))
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
 * if a person was encrypted with another key.
 */
export async function replayErasures(context: ListContext & ErasureContext): Promise<number> {
  const done = await listDone(context)
  const missing = openMissing(context, done, await readErasureList(context.store))
  for (const [listKey, person] of missing) {
    if (!person)
      throw new HttpError(422, 'The list of erased people was encrypted with another SECRET_KEY: it cannot be replayed')
    await erasePerson(context, person, { actor: { me: null }, listKey })
  }
  if (done.size > 0) await saveErasureList(context)
  return missing.length
}

/** Throws 422 if `replayErasures` could not erase everyone in this restored database, with the entries of `given` in the list. */
export async function assertReplayable(
  context: { db: Pick<Db, 'select'> } & Pick<AppContext, 'store' | 'secrets'>,
  given: ErasureList,
): Promise<void> {
  const list = [...(await readErasureList(context.store)), ...given]
  if (openMissing(context, await listDone(context), list).some(([, person]) => !person))
    throw new HttpError(
      422,
      'People were erased since this backup, and SECRET_KEY does not open all of their list: pass a copy of erasures.json from before the change of key with --erasures, and if some were erased after it, move that file out of the uploads and erase them again yourself',
    )
}

async function listDone({ db }: { db: Pick<Db, 'select'> }): Promise<ReadonlySet<string>> {
  const done = await db.select({ list_key: erasuresTable.list_key }).from(erasuresTable)
  return new Set(done.map(({ list_key }) => list_key))
}

const personSchema = z.object({ phone: z.string(), email: z.string() })
type Person = z.infer<typeof personSchema>

/** Returns the people of the list that the database does not have, by list key; null for one that this key does not open. */
function openMissing(
  { secrets }: Pick<AppContext, 'secrets'>,
  done: ReadonlySet<string>,
  list: ErasureList,
): [string, Person | null][] {
  const missing = new Map<string, Person | null>()
  for (const { list_key, person } of list)
    if (!done.has(list_key)) missing.set(list_key, missing.get(list_key) ?? openPerson(secrets, list_key, person))
  return [...missing]
}

function openPerson(secrets: AppContext['secrets'], listKey: string, sealed: string): Person | null {
  try {
    return personSchema.parse(JSON.parse(secrets.open(Buffer.from(sealed, 'base64'), erasurePersonAad(listKey))))
  } catch {
    return null
  }
}
