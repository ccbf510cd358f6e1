import type { AppContext } from '#domains/app-context.ts'
import type { ConnectionKind } from '../labels.ts'
import { connectionSecretAad } from '../schema.ts'

/** What each kind of connection keeps encrypted: its secrets, and what only has a use together with them. */
export type ConnectionSecrets = {
  callrail: { api_key: string }
  smtp: { url: string; from: string }
  google: { client_id: string; client_secret: string }
  legacy: { token: string }
}
export type ConnectionSecret = ConnectionSecrets[ConnectionKind]

/** The fields of a connection by which it is changed, beside its name. */
export const changeableFields = {
  callrail: ['api_key'],
  smtp: ['url', 'from'],
  google: ['client_id', 'client_secret'],
  legacy: ['address', 'token'],
} as const satisfies Record<ConnectionKind, readonly string[]>

export const sealSecret = ({ secrets }: AppContext, id: number, secret: ConnectionSecret) =>
  secrets.seal(JSON.stringify(secret), connectionSecretAad(id))

export const openSecret = <Kind extends ConnectionKind>(
  { secrets }: AppContext,
  { id, secret }: { id: number; kind: Kind; secret: Buffer },
) => JSON.parse(secrets.open(secret, connectionSecretAad(id))) as ConnectionSecrets[Kind] // sealSecret wrote it

/** Returns what is shown of mail servers and Google's client. */
export function describeSecret(secret: ConnectionSecrets['smtp' | 'google']) {
  if ('client_id' in secret) return { account_id: secret.client_id, account_name: secret.client_id, address: null }
  const { protocol, host } = new URL(secret.url)
  const sender = /<([^>]+)>/.exec(secret.from)?.[1] ?? secret.from
  return { account_id: sender, account_name: secret.from, address: `${protocol}//${host}` }
}
