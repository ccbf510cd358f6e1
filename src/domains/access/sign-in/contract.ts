import { z } from 'zod'
import { allowEveryone, permissionFlags, signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, passwordField, requiredText } from '#contract/fields.ts'
import { tableNames } from '#contract/tables.ts'
import { signInAnswerSchema } from '#domains/access/second-factor/contract.ts'
import { toolLinkSchema } from '#domains/dashboard/contract.ts'
import { timeFormats } from '../labels.ts'

const columnKeySchema = z.string().regex(/^[\w.]{1,60}$/, 'Not a column')
/** Keys in the order of their columns, and widths in pixels; what is in neither is as it comes. */
export const tableLayoutSchema = z.object({
  order: z.array(columnKeySchema).max(80),
  widths: z
    .record(columnKeySchema, z.int().min(48).max(1000))
    .refine((widths) => Object.keys(widths).length <= 80, 'Too many columns'),
})
export type TableLayout = z.infer<typeof tableLayoutSchema>

/** The signed-in person, as GET user/me answers. */
export const currentUserSchema = z.object({
  id: idField,
  username: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  isSuperAdmin: z.boolean(),
  /** The login account of a client: the guide tells it of its own leads. */
  isCustomer: z.boolean(),
  /** In which a client reads times; null for staff, who read the agency's. */
  timezone: z.string().nullable(),
  /** Only super admins have any. */
  tools_links: z.array(toolLinkSchema),
  permissions: z.object(
    Object.fromEntries(permissionFlags.map((flag) => [flag, z.boolean()])) as Record<
      (typeof permissionFlags)[number],
      z.ZodBoolean
    >,
  ),
  /** One entry a view that has hidden columns; `leads.list` comes first. A column is visible unless hidden. */
  hidden_columns: z.array(z.object({ view: z.string(), hidden_columns: z.array(z.string()) })),
  /** The views whose columns one has chosen; the others start as their screens say. */
  chosen_views: z.array(z.string()),
  /** How one has laid out tables, by the table's name. */
  tables: z.record(z.string(), tableLayoutSchema),
  /** Whether the tour of a first sign-in is over for them. */
  saw_tour: z.boolean(),
  /** There while their role must have a second factor and they have none: nothing else is open to them. */
  must_enrol: z.literal(true).optional(),
  /** How screens show a time of day. */
  time_format: z.enum(timeFormats),
  /** Who looks, where this is a read-only view as the person. */
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
/** Anything else in the body (a role, another id) is refused by name: nothing here is ever mass-assigned. */
export const profileFormSchema = addConfirmationCheck(z.strictObject(passwordChangeFields))

/** Refuses a form whose new password was typed differently the second time. */
export function addConfirmationCheck<
  Form extends z.ZodObject<{ new_password: z.ZodString; new_password_confirmation: z.ZodString }>,
>(form: Form): Form {
  return form.refine(({ new_password, new_password_confirmation }) => new_password === new_password_confirmation, {
    error: "Passwords don't match!",
    path: ['new_password_confirmation'],
    // A wrong confirmation is said beside whatever else is wrong.
    when: ({ value }) =>
      z.looseObject({ new_password: z.string(), new_password_confirmation: z.string().min(1) }).safeParse(value)
        .success,
  })
}

/** Tables whose columns a person may hide, with the keys they have. */
export const hideableViews = ['leads.list'] as const

export const sessionContract = {
  login: endpoint('POST /user/login', {
    allow: allowEveryone,
    description:
      'Signs in with a username or an email. Wrong credentials answer 200 with an `error`; too many answer 429. Where a second factor is on, the answer is the question for it.',
    body: credentialsSchema,
    response: signInAnswerSchema,
  }),
  authByToken: endpoint('POST /user/authByToken', {
    allow: allowEveryone,
    description: 'Trades a remote token for a new session of that customer; gives a live session token back.',
    body: z.object({ token: z.string().max(500) }),
    response: signInAnswerSchema,
  }),
  logout: endpoint('POST /user/logout', {
    allow: allowEveryone,
    endsView: true,
    description:
      'Ends the session; with `all` every session of the user. In a view as another person it ends the view.',
    body: z.object({ all: z.literal(1).optional() }).optional(),
  }),
  me: endpoint('GET /user/me', { allow: signedIn, openBeforeEnrolment: true, response: currentUserSchema }),
  updateProfile: endpoint('PUT /user', {
    allow: signedIn,
    reauthenticate: true,
    description: "Changes one's own password and ends one's other sessions.",
    body: profileFormSchema,
    response: currentUserSchema,
    success: 'Profile was updated successfully',
  }),
  saveColumns: endpoint('POST /user/saveColumns', {
    allow: signedIn,
    description: 'Keeps which columns of a table one hides. Taken from the query or the body.',
    query: z.object({ hidden_columns: z.string().max(4000).optional(), view: z.string().max(100).optional() }),
    body: z
      .object({ hidden_columns: z.string().max(4000).optional(), view: z.string().max(100).optional() })
      .optional(),
    response: currentUserSchema,
  }),
  saveTable: endpoint('POST /user/saveTable', {
    allow: signedIn,
    description: 'Keeps in which order and how wide one wants the columns of a table.',
    body: z.object({ table: z.enum(tableNames, 'There is no such table'), ...tableLayoutSchema.shape }),
    response: currentUserSchema,
  }),
  endTour: endpoint('POST /user/endTour', {
    allow: signedIn,
    description: 'Keeps that one has seen the tour of a first sign-in, or does not want it.',
    response: currentUserSchema,
  }),
}
