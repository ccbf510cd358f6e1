import { arrivingMailStates } from '#domains/leads/labels.ts'
import type { mailsTable } from '../schema.ts'

type Mail = Pick<typeof mailsTable.$inferSelect, 'kind' | 'state' | 'client_id'>

/**
 * Returns whether a mail was for another client than the one who has the lead now, and that client has one of its kind: sent again it would
 * be that client's second.
 */
export const isReplacedForClient = (mail: Mail, mailsOfLead: readonly Mail[], client: number | null): boolean =>
  client !== null &&
  mail.client_id !== null &&
  mail.client_id !== client &&
  mailsOfLead.some(
    ({ kind, state, client_id }) => kind === mail.kind && client_id === client && arrivingMailStates.includes(state),
  )
