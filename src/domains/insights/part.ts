import type { ServerPart } from '#domains/server-part.ts'
import { campaignEventsHandlers } from './events/server/handlers.ts'
import { insightsHandlers } from './server/handlers.ts'

export const insightsPart: ServerPart = {
  handlers: [...campaignEventsHandlers, ...insightsHandlers],
}
