import { expect, test } from 'vitest'
import type { ClientRecord } from '../client-contract.ts'
import { describeLeadEmails } from './describe-lead-emails.ts'

const user = { is_active: 1 } as NonNullable<ClientRecord['user']>
const client = { user, disable_notifications: 0, invited: 0, emails: '' } as const

test('a client’s page says whether leads are emailed: not while the account is switched off [IN-15]', () => {
  expect(describeLeadEmails(client)).toBe('On')
  expect(describeLeadEmails({ ...client, user: null })).toBe('On')
  expect(describeLeadEmails({ ...client, disable_notifications: 1 })).toBe('Off')
  for (const disable_notifications of [0, 1] as const)
    expect(describeLeadEmails({ ...client, user: { ...user, is_active: 0 }, disable_notifications })).toBe(
      'None while the client is switched off',
    )
  expect(describeLeadEmails({ ...client, invited: 1 })).toBe('None until the invitation is accepted')
})
