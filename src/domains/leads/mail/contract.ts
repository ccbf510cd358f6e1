import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { lead } from '../contract.ts'

const runsLeads = both(admin, may('leads'))

/** Mails that somebody asks for by hand, on leads tagged Missed Call or Auto Missed Call. */
export const leadMails = {
  sendWarning: endpoint('POST /lead/send-warning/:id', {
    allow: runsLeads,
    about: 'Mails the client that a call was missed.',
    answers: lead,
    says: 'Warning was sent successfully',
  }),
  sendNotification: endpoint('POST /lead/notification/:id', {
    allow: runsLeads,
    about: 'Mails the lead to the client again.',
    answers: lead,
    says: 'Notification was sent successfully',
  }),
}
