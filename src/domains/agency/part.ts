import type { ServerPart } from '#domains/server-part.ts'
import { agencyHandlers } from './server/handlers.ts'

export const agencyPart: ServerPart = {
  handlers: agencyHandlers,
  withoutPeople: { 'The agency itself': ['agency'] },
}
