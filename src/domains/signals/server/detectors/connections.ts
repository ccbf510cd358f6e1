import { countOf } from '#contract/count-of.ts'
import type { LostConnection } from '../facts.ts'
import { type SignalDetector, type SignalFinding, withoutStop } from '../finding.ts'

const titles: Record<LostConnection['kind'], (name: string) => string> = {
  callrail: (name) => `CallRail refuses the key of ${name}`,
  smtp: () => 'Emails are not being sent',
  google: () => 'Google refuses our access',
  legacy: (name) => `The old system ${name} refuses the token`,
}

/** What does not work any more of the page Connections, also because a Google account has to be linked again. */
export const connectionDetector: SignalDetector = {
  kinds: ['connection_lost'],
  detect: ({ connections, accounts, google_connection_id }) => {
    const lost = connections.map(
      ({ id, kind, name, says, since, waiting }): SignalFinding => ({
        kind: 'connection_lost',
        severity: 'severe',
        subject: { type: 'connection', id, label: name },
        campaign_id: null,
        title: titles[kind](name),
        evidence: {
          says: addWaiting(says ?? 'No mail server is connected', waiting),
          since: since.toISOString(),
          ...(kind === 'smtp' && { waiting }),
        },
      }),
    )
    if (accounts.length === 0 || google_connection_id === null) return lost
    if (connections.some(({ id }) => id === google_connection_id)) return lost
    const emails = accounts.map(({ email }) => email)
    return [
      ...lost,
      {
        kind: 'connection_lost',
        severity: 'severe',
        subject: { type: 'connection', id: google_connection_id, label: 'Google' },
        campaign_id: null,
        title: 'Google accounts must be linked again',
        evidence: {
          says: `Google does not accept the stored access anymore: ${emails.join(', ')} must be linked again.`,
          since: new Date(Math.min(...accounts.map(({ since }) => since.getTime()))).toISOString(),
        },
      },
    ]
  },
}

const addWaiting = (says: string, waiting: number) =>
  waiting === 0 ? says : `${withoutStop(says)}. ${countOf(waiting, 'email')} ${waiting === 1 ? 'waits' : 'wait'}.`
