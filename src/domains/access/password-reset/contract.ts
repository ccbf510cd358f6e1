import { z } from 'zod'
import { allowEveryone } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { emailField, passwordField, requiredText } from '#contract/fields.ts'
import { adminsContract, leadsHandlersContract } from '../contract.ts'
import { signInAnswerSchema } from '../second-factor/sign-in-answer.ts'
import { addConfirmationCheck } from '../sign-in/contract.ts'

export const forgotFormSchema = z.object({
  email: requiredText('Please input your email', 254).pipe(emailField),
})

export const resetFormSchema = addConfirmationCheck(
  z.strictObject({
    key: z.string().max(200),
    new_password: passwordField('Please input new password'),
    new_password_confirmation: z
      .string('Please input new password confirmation')
      .min(1, 'Please input new password confirmation'),
  }),
)

const invitationSent = 'The invitation is on its way'

export const passwordResetContract = {
  forgot: endpoint('POST /user/forgot', {
    allow: allowEveryone,
    changes: [],
    description:
      'Emails a link to choose a new password, for one hour. The response does not reveal whether an account has this email; at most three emails an hour per email.',
    body: forgotFormSchema,
    response: z.object({ message: z.string() }),
  }),
  reset: endpoint('POST /user/reset', {
    allow: allowEveryone,
    changes: ['user'],
    description:
      'Sets the password with the key of an emailed link, once. Ends every session and every other link of the person. An invitation signs them in: a session, or a request for the second factor; a reset answers 204. 404 if the key was used, has expired or never existed.',
    body: resetFormSchema,
    response: signInAnswerSchema.optional(),
    newSecret: true,
    success: 'Your password was saved. Please log in.',
  }),
  check: endpoint('POST /user/reset/check', {
    allow: allowEveryone,
    reads: ['user'],
    description: '204 if the key of an emailed link can still set a password, otherwise 404. Does not use it up.',
    body: z.object({ key: z.string().max(200) }),
  }),
  inviteAdmin: endpoint('POST /admin/admins/:id/invite', {
    allow: adminsContract.update.allow,
    changes: ['admin'],
    reauthenticate: true,
    description: 'Emails an admin a link to choose a password, for 24 hours.',
    success: invitationSent,
  }),
  inviteHandler: endpoint('POST /leads-handlers/:id/invite', {
    allow: leadsHandlersContract.update.allow,
    changes: ['leads-handler'],
    reauthenticate: true,
    description: 'Emails a leads handler a link to choose a password, for 24 hours.',
    success: invitationSent,
  }),
}
