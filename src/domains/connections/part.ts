import type { ServerPart } from '#domains/server-part.ts'
import { buildConnectionsHandlers } from './server/handlers.ts'

export const connectionsPart: ServerPart = {
  handlers: buildConnectionsHandlers,
  withoutPeople: { 'Names of services and their accounts, chosen by staff': ['connections'] },
  encryptedColumns: [{ table: 'connections', column: 'secret', id: 'id' }],
}
