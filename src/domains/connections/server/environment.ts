import type { DbOrTx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { AppSettings } from '#domains/app-settings.ts'
import { isCallRailConfigured } from '#integrations/callrail/api.ts'
import type { ConnectionKind } from '../labels.ts'
import { connectionsTable } from '../schema.ts'
import { type ConnectionSecrets, describeSecret } from './secrets.ts'

/** A connection that the settings of this process make. */
export type EnvironmentConnection<Kind extends ConnectionKind = ConnectionKind> = {
  account_id: string | null
  account_name: string | null
  address: string | null
  secret: ConnectionSecrets[Kind]
  /** Names the variables: Set by SMTP_URL and MAIL_FROM. */
  words: string
}

type EnvironmentConnections = { [Kind in ConnectionKind]?: EnvironmentConnection<Kind> }

/** Returns what the settings connect, by its kind. */
export function readEnvironmentConnections(settings: AppSettings): EnvironmentConnections {
  const { CALLRAIL_ACCOUNT_ID, CALLRAIL_API_KEY, SMTP_URL, MAIL_FROM, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } =
    settings
  const found: EnvironmentConnections = {}
  if (isCallRailConfigured(settings))
    found.callrail = {
      account_id: CALLRAIL_ACCOUNT_ID!, // checked above
      account_name: null,
      address: null,
      secret: { api_key: CALLRAIL_API_KEY! },
      words: 'Set by CALLRAIL_ACCOUNT_ID and CALLRAIL_API_KEY',
    }
  if (SMTP_URL) {
    const secret = { url: SMTP_URL, from: MAIL_FROM }
    found.smtp = { ...describeSecret(secret), secret, words: 'Set by SMTP_URL and MAIL_FROM' }
  }
  if (GOOGLE_CLIENT_ID) {
    const secret = { client_id: GOOGLE_CLIENT_ID, client_secret: GOOGLE_CLIENT_SECRET ?? '' }
    found.google = {
      ...describeSecret(secret),
      secret,
      words: 'Set by GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET',
    }
  }
  return found
}

/** Adds the rows of what the environment connects, for what becomes of these connections. */
export async function addEnvironmentConnections({ db, settings }: { db: DbOrTx } & Pick<AppContext, 'settings'>) {
  const rows = Object.entries(readEnvironmentConnections(settings)).map(([kind, { account_id }]) => ({
    kind: kind as ConnectionKind, // its keys
    source: 'environment' as const,
    account_id: kind === 'callrail' ? account_id : null,
  }))
  if (rows.length > 0) await db.insert(connectionsTable).values(rows).onConflictDoNothing()
}
