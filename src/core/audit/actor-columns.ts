import type { AuditActor } from './write-audit.ts'

/** The columns of a task that store who requested it, so that its audit entries name them later. */
type ActorColumns = {
  user_id: number | null
  username: string | null
  request_id: string | null
  address: string | null
}

export const toActorColumns = ({ me, requestId, address }: AuditActor): ActorColumns => ({
  user_id: me?.id ?? null,
  username: me?.username ?? null,
  request_id: requestId ?? null,
  address: address ?? null,
})

export const readActorColumns = ({ user_id, username, request_id, address }: ActorColumns): AuditActor => ({
  me: user_id === null ? null : { id: user_id, username: username ?? '' },
  requestId: request_id ?? undefined,
  address: address ?? undefined,
})
