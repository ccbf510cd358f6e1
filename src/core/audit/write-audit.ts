import type { Me } from '#domains/access/server/current-user.ts'
import type { Tx } from '../db/db.ts'
import { audit } from '../db/schema.ts'

type Fields = Record<string, unknown>
/** Who does it and through which request; null is the program itself. */
export type Actor = {
  me: Pick<Me, 'id' | 'username'> | null
  requestId?: string | undefined
  address?: string | undefined
}
type Change = {
  kind: string
  rowId: number
  before: Fields | null
  after: Fields | null
  version?: number
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields of `after` that differ from `before`, from both sides. */
export function difference(before: Fields, after: Fields): { before: Fields; after: Fields } {
  const changed = Object.keys(after).filter((key) => !same(before[key], after[key]))
  const pick = (from: Fields) => Object.fromEntries(changed.map((key) => [key, from[key] ?? null]))
  return { before: pick(before), after: pick(after) }
}

/** Writes one entry of the trail, in the transaction of the change. A change that changes nothing leaves none. */
export async function record(tx: Tx, actor: Actor, change: Change): Promise<void> {
  const { before, after } = change
  const action = before === null ? 'created' : after === null ? 'removed' : 'changed'
  const parts = before && after ? difference(before, after) : { before, after }
  if (action === 'changed' && Object.keys(parts.after ?? {}).length === 0) return
  await tx.insert(audit).values({
    user_id: actor.me?.id ?? null,
    username: actor.me?.username ?? null,
    kind: change.kind,
    row_id: change.rowId,
    action,
    before: parts.before,
    after: parts.after,
    version: change.version ?? null,
    request_id: actor.requestId ?? null,
    address: actor.address ?? null,
  })
}
