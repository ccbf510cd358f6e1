import { z } from 'zod'
import { allowEveryone, signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { emailField, requiredText } from '#contract/fields.ts'

export const emailChangeContract = {
  change: endpoint('PUT /user/email', {
    allow: signedIn,
    changes: ['user'],
    reauthenticate: true,
    description:
      'Emails a link to the new address, for 24 hours; the email changes when it is opened. The old address is told. The response does not reveal whether another account has the address; at most three an hour. The first administrator’s `admin@localhost` is replaced at once.',
    body: z.strictObject({ email: requiredText('Please input your email', 254).pipe(emailField) }),
    response: z.object({ message: z.string() }),
  }),
  confirm: endpoint('POST /user/email/confirm', {
    allow: allowEveryone,
    changes: ['user'],
    description:
      'Changes the email with the key of the emailed link, once, and tells the old address. Ends other links that were emailed to the old one. 404 if the key was used, has expired or never existed.',
    body: z.strictObject({ key: z.string().max(200) }),
    response: z.object({ message: z.string() }),
  }),
}
