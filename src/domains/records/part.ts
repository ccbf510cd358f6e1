import type { ServerPart } from '#domains/server-part.ts'
import { recordsHandlers } from './server/handlers.ts'

export const recordsPart: ServerPart = {
  handlers: recordsHandlers,
}
