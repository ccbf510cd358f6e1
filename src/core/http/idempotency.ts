import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { type Endpoint, isRepeatable } from '#contract/endpoint.ts'
import type { CoreContext } from '../core-context.ts'
import type { Db } from '../db/db.ts'
import { idempotencyTable } from '../db/schema.ts'
import { conflictError, HttpError, isConnectionLost } from './errors.ts'
import { JsonText } from './json-text.ts'

/** After this time a write without an answer counts as ended with its process. Gateways give up long before. */
const abandonedAfter = sql`interval '5 minutes'`

/** The header as its draft spells it, in quotes, or as most clients send it. */
export const idempotencyKeyPattern = /^"?([\w.:-]{1,100})"?$/

/** Returns the key that a write was sent with, if its call takes one. Throws 400 for one that cannot be kept. */
export function readIdempotencyKey(endpoint: Endpoint, { headers }: FastifyRequest): string | undefined {
  const header = headers['idempotency-key']
  if (header === undefined || !isRepeatable(endpoint)) return undefined
  const key = idempotencyKeyPattern.exec(String(header))?.[1]
  if (key) return key
  throw new HttpError(400, 'An Idempotency-Key has 1 to 100 letters, digits, dots, colons, hyphens and underscores')
}

type KeyedWrite = { me: { id: number; key?: { id: number } | undefined }; key: string; request: FastifyRequest }

/**
 * Makes a write once, however often it is sent with its key, and returns the first answer each time. What is refused can be sent
 * again. Throws 409 while the first is still being made, and 422 if the key stands for another request.
 */
export async function answerOnce(
  { db, secrets, log }: CoreContext,
  { me, key, request: { method, url, body } }: KeyedWrite,
  makeAnswer: () => Promise<unknown>,
): Promise<JsonText | undefined> {
  const request = secrets.sign(JSON.stringify([method, url, body, me.key?.id])) // a body may have a password
  const { user_id, at } = idempotencyTable
  const isThis = and(eq(user_id, me.id), eq(idempotencyTable.key, key))
  const place = `idempotency_keys.answer:${me.id}:${key}`
  const [begun] = await db
    .insert(idempotencyTable)
    .values({ user_id: me.id, key, request })
    .onConflictDoUpdate({
      target: [user_id, idempotencyTable.key],
      set: { at: sql`now()` },
      setWhere: and(
        isNull(idempotencyTable.answer),
        eq(idempotencyTable.request, request),
        lt(at, sql`now() - ${abandonedAfter}`),
      ),
    })
    .returning({ at })
  if (!begun) {
    const [first] = await db.select().from(idempotencyTable).where(isThis)
    if (first && first.request !== request)
      throw new HttpError(422, 'This Idempotency-Key was sent with another request. Please use a new one.')
    if (!first?.answer) throw conflictError('This is still being saved. Please try again in a few minutes.')
    const text = secrets.open(first.answer, place)
    return text === '' ? undefined : new JsonText(text)
  }
  const isMine = and(isThis, eq(at, begun.at)) // unless another has taken it over
  const made = await makeAnswer().catch(async (error: unknown) => {
    if (isConnectionLost(error)) throw error // maybe at the commit: it may have been made
    await db
      .delete(idempotencyTable)
      .where(isMine)
      .catch((err: unknown) => log.warn({ err }, 'the key of a refused request was kept'))
    throw error
  })
  const answer = made instanceof JsonText || made === undefined ? made : new JsonText(JSON.stringify(made))
  await db
    .update(idempotencyTable)
    .set({ answer: secrets.seal(answer?.text ?? '', place) })
    .where(isMine)
    .catch((err: unknown) => log.warn({ err }, 'the answer to a request with a key was not kept'))
  return answer
}

/** Deletes the answers of more than a day ago. */
export const deleteOldAnswers = (db: Db) =>
  db.delete(idempotencyTable).where(lt(idempotencyTable.at, sql`now() - interval '1 day'`))
