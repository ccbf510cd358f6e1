import type { ClientRecord } from '../client-contract.ts'

type EmailedClient = Pick<ClientRecord, 'user' | 'disable_notifications' | 'invited' | 'emails'>

/** Says whether this client is emailed leads. */
export function describeLeadEmails({ user, disable_notifications, invited, emails }: EmailedClient): string {
  if (user && !user.is_active) return 'None while the client is switched off'
  if (disable_notifications) return 'Off'
  if (!invited) return 'On'
  return `${emails === '' ? 'None' : 'Only to the additional emails'} until the invitation is accepted`
}
