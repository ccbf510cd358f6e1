import type { DbOrTx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { MailServer } from '#integrations/smtp/smtp.ts'
import { listConnections, readConnectionSecret } from './queries.ts'
import { recordConnectionUse } from './record-use.ts'

/** Returns the mail server that the environment or the page Connections sets now; null without one. */
export async function findMailServer(context: AppContext, db: DbOrTx = context.db): Promise<MailServer | null> {
  const [connection] = await listConnections(context, 'smtp', db)
  const server = connection && (await readConnectionSecret(context, 'smtp', connection.id, db))
  return server ? { ...server, record: (outcome) => recordConnectionUse(context.db, connection!.id, outcome) } : null
}
