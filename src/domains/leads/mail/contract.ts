import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { leadSchema } from '../contract.ts'

const canManageLeads = adminsWithPages('leads')

/** Mails that are requested by hand: for leads tagged Missed Call or Auto Missed Call, and to repeat mails that may not have arrived. */
export const leadMailsContract = {
  sendWarning: endpoint('POST /lead/send-warning/:id', {
    allow: canManageLeads,
    changes: ['lead'],
    row: 'lead',
    description: 'Emails the client that a call was missed.',
    response: leadSchema,
    success: 'Warning was sent successfully',
  }),
  sendNotification: endpoint('POST /lead/notification/:id', {
    allow: canManageLeads,
    changes: ['lead'],
    row: 'lead',
    description: 'Emails the lead to the client again.',
    response: leadSchema,
    success: 'Notification was sent successfully',
  }),
  sendAgain: endpoint('POST /lead/:id/mails/:mailId/again', {
    allow: canManageLeads,
    changes: ['lead'],
    row: 'lead',
    description:
      'Sends an email of the lead again that was refused or may be lost. It keeps its Message-ID, so that most mailboxes show only one of them. A second request does not send another one.',
    response: leadSchema,
    success: 'Email is sent again',
  }),
}
