import type { ServerPart } from '#domains/server-part.ts'
import { homeHandlers } from './server/handlers.ts'

export const dashboardPart: ServerPart = {
  handlers: homeHandlers,
  withoutPeople: { 'Names of steps': ['put_off_steps'] },
}
