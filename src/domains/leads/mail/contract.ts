import { adminOnly, bothRules, mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { leadSchema } from '../contract.ts'

const canManageLeads = bothRules(adminOnly, mayUsePages('leads'))

/** Mails that are asked for by hand: on leads tagged Missed Call or Auto Missed Call, and those that did not arrive or may not have. */
export const leadMailsContract = {
  sendWarning: endpoint('POST /lead/send-warning/:id', {
    allow: canManageLeads,
    description: 'Mails the client that a call was missed.',
    response: leadSchema,
    success: 'Warning was sent successfully',
  }),
  sendNotification: endpoint('POST /lead/notification/:id', {
    allow: canManageLeads,
    description: 'Mails the lead to the client again.',
    response: leadSchema,
    success: 'Notification was sent successfully',
  }),
  sendAgain: endpoint('POST /lead/:id/mails/:mailId/again', {
    allow: canManageLeads,
    description:
      'Sends a mail of the lead again that was refused or lost without a trace. It keeps its Message-ID, so that most mailboxes show one of the two. A second request answers with the mail of the first.',
    response: leadSchema,
    success: 'Mail is sent again',
  }),
}
