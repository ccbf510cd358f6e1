import { z } from 'zod'
import { allowEveryone, permissionFlags, signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, passwordField, requiredText } from '#contract/fields.ts'
import { signInAnswerSchema } from '#domains/access/second-factor/sign-in-answer.ts'
import { toolLinkSchema } from '#domains/access/tool-links/tool-link.ts'
import { timeFormats } from '../labels.ts'

const columnKeySchema = z.string().regex(/^[\w.]{1,60}$/, 'Not a column')
/** Column keys in order, and widths in pixels; other columns keep their defaults. */
export const tableLayoutSchema = z.object({
  order: z.array(columnKeySchema).max(80),
  widths: z
    .record(columnKeySchema, z.int().min(48).max(1000))
    .refine((widths) => Object.keys(widths).length <= 80, 'Too many columns'),
})
export type TableLayout = z.infer<typeof tableLayoutSchema>

/** The signed-in person, as returned by GET user/me. */
export const currentUserSchema = z.object({
  id: idField,
  username: z.string(),
  email: z.string(),
  /** The new address that waits for the link it was sent. */
  pending_email: z.string().nullable(),
  isAdmin: z.boolean(),
  isSuperAdmin: z.boolean(),
  /** The login account of a client. */
  isCustomer: z.boolean(),
  /** The client's time zone; null for staff, who see times in the agency's. */
  timezone: z.string().nullable(),
  /** Empty except for super admins. */
  tools_links: z.array(toolLinkSchema),
  permissions: z.object(
    Object.fromEntries(permissionFlags.map((flag) => [flag, z.boolean()])) as Record<
      (typeof permissionFlags)[number],
      z.ZodBoolean
    >,
  ),
  /** The hidden columns of each view: as chosen, or those that its screen starts with. `leads.list` comes first. */
  hidden_columns: z.array(z.object({ view: z.string(), hidden_columns: z.array(z.string()) })),
  /** The views whose columns the user has chosen; the others start with their screen's defaults. */
  chosen_views: z.array(z.string()),
  /** The user's table layouts, by table name. */
  tables: z.record(z.string(), tableLayoutSchema),
  /** Whether they have finished the first sign-in tour. */
  saw_tour: z.boolean(),
  /** Present while their role requires a second factor and they have none; until then they can do nothing else. */
  must_enrol: z.literal(true).optional(),
  /** How screens show a time of day. */
  time_format: z.enum(timeFormats),
  /** The viewer, if this is a read-only view as the person. */
  seen_by: z.object({ id: idField, username: z.string() }).nullable(),
})
export type CurrentUserDto = z.infer<typeof currentUserSchema>

export const credentialsSchema = z.object({
  username: requiredText('Please input username', 254),
  password: z.string('Please input password').min(1, 'Please input password').max(1000),
})

const passwordChangeFields = {
  old_password: z.string('Please input old password').min(1, 'Please input old password').max(1000),
  new_password: passwordField('Please input new password'),
  new_password_confirmation: z
    .string('Please input new password confirmation')
    .min(1, 'Please input new password confirmation'),
}
/** Any other field in the body (a role, another id) is rejected by name, so mass assignment is impossible. */
export const profileFormSchema = addConfirmationCheck(z.strictObject(passwordChangeFields))

/** Rejects a form whose two new passwords differ. */
export function addConfirmationCheck<
  Form extends z.ZodObject<{ new_password: z.ZodString; new_password_confirmation: z.ZodString }>,
>(form: Form): Form {
  return form.refine(({ new_password, new_password_confirmation }) => new_password === new_password_confirmation, {
    error: "Passwords don't match!",
    path: ['new_password_confirmation'],
    // A wrong confirmation is reported along with other errors.
    when: ({ value }) =>
      z.looseObject({ new_password: z.string(), new_password_confirmation: z.string().min(1) }).safeParse(value)
        .success,
  })
}

export const sessionContract = {
  login: endpoint('POST /user/login', {
    allow: allowEveryone,
    changes: ['user'],
    newSecret: true,
    description:
      'Signs in with a username or an email. Wrong credentials return 200 with an `error`; too many return 429. If a second factor is on, the response asks for it.',
    body: credentialsSchema,
    response: signInAnswerSchema,
  }),
  clientLogin: endpoint('POST /user/client-login', {
    allow: allowEveryone,
    changes: ['user'],
    newSecret: true,
    description:
      'Signs a client in, as `POST user/login` does staff. 404 where CLIENT_LOGIN_URL names a client login site of its own.',
    body: credentialsSchema,
    response: signInAnswerSchema,
  }),
  authByToken: endpoint('POST /user/authByToken', {
    allow: allowEveryone,
    changes: ['user'],
    newSecret: true,
    endsView: true,
    description:
      'Exchanges a remote token for a new session of that customer, and a live session token for another one of the same session: the old token ends. A caller who is signed in as someone else gets the names of both and nothing changes; with `replace` their session ends.',
    body: z.object({ token: z.string().max(500), replace: z.literal(1).optional() }),
    response: z.union([
      ...signInAnswerSchema.options,
      z.object({ other_person: z.object({ signed_in: z.string(), link: z.string() }) }),
    ]),
  }),
  logout: endpoint('POST /user/logout', {
    allow: allowEveryone,
    changes: ['user'],
    endsView: true,
    description:
      'Ends the session; with `all` every session of the user. In a view as another person it ends the view.',
    body: z.object({ all: z.literal(1).optional() }).optional(),
  }),
  me: endpoint('GET /user/me', {
    allow: signedIn,
    reads: ['user'],
    openBeforeEnrolment: true,
    response: currentUserSchema,
  }),
  updateProfile: endpoint('PUT /user', {
    allow: signedIn,
    changes: ['user'],
    reauthenticate: true,
    description: "Changes the caller's own password and ends their other sessions.",
    body: profileFormSchema,
    response: currentUserSchema,
    success: 'Profile was updated successfully',
  }),
}
