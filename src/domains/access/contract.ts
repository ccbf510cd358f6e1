import { z } from 'zod'
import {
  adminsWithPages,
  bothRules,
  handlerFlags,
  type PermissionFlag,
  permissionFlags,
  superAdminOnly,
} from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import {
  flagField,
  idField,
  maxInt,
  passwordField,
  queryCheckbox,
  requiredEmailField,
  requiredText,
  toNewPassword,
  versionField,
} from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { sessionKinds } from './labels.ts'

/** An account in the tables of Admin Access and Leads Handlers Access. */
export const staffMemberSchema = z.object({
  id: idField,
  username: z.string(),
  email: z.string(),
  /** Ticked campaigns that the reader may see. */
  campaigns_count: z.int(),
  /** True if the reader holds every right of this account and it is not their own. */
  may_change: z.boolean(),
})
export type StaffMember = z.infer<typeof staffMemberSchema>

/** For readers who only pick a colleague, in the activity log or the changelog. */
const colleagueSchema = staffMemberSchema.pick({ id: true, username: true })

/** A page that can be granted; its id is its flag. */
const grantablePageSchema = z.object({ id: z.enum(permissionFlags), title: z.string() })
export type GrantablePage = z.infer<typeof grantablePageSchema>

/** Ticked pages: page to 1. 0 or absent means not ticked. */
const createSelectionSchema = <const Pages extends readonly [PermissionFlag, ...PermissionFlag[]]>(pages: Pages) =>
  z.partialRecord(z.enum(pages), flagField)
const pageSelectionSchema = createSelectionSchema(permissionFlags)
const handlerPageSelectionSchema = createSelectionSchema(handlerFlags)
/** Ticked campaigns: id to 1. */
const campaignSelectionSchema = z
  .record(
    z
      .string()
      .regex(/^\d{1,10}$/)
      .refine((id) => Number(id) <= maxInt),
    flagField,
  )
  .refine((ticks) => Object.keys(ticks).length <= 20_000, 'Too many campaigns')

/** The keys that are ticked. */
export const getSelectedKeys = <Key extends string>(ticks: Partial<Record<Key, 0 | 1>> | undefined): Key[] =>
  Object.entries(ticks ?? {}).flatMap(([key, on]) => (on ? [key as Key] : [])) // its own keys

const accountFormFields = {
  username: requiredText('Please enter username', 100),
  email: requiredEmailField,
  password: passwordField('Please enter password'),
}
const newPasswordField = toNewPassword(accountFormFields.password)

/** Any other field in a body (a role, another id) is rejected by name, so mass assignment is impossible. */
const adminFormFields = {
  ...accountFormFields,
  password: newPasswordField,
  /** Mails a link to choose a password instead of setting one here. */
  invite: flagField.default(0),
  pages: pageSelectionSchema.default({}),
  campaigns: campaignSelectionSchema.default({}),
}
const adminFormSchema = addPasswordCheck(z.strictObject(adminFormFields))

/** Requires a password unless the person is invited, and reports this along with other errors. */
function addPasswordCheck<Form extends z.ZodObject<{ password: typeof newPasswordField; invite: z.ZodType }>>(
  form: Form,
) {
  return form.refine(({ password, invite }) => Boolean(invite) || Boolean(password), {
    error: 'Please enter password',
    path: ['password'],
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
}
const adminUpdateSchema = z.strictObject({
  password: newPasswordField,
  pages: pageSelectionSchema.optional(),
  campaigns: campaignSelectionSchema.optional(),
  version: versionField,
})
const handlerFormSchema = addPasswordCheck(
  z.strictObject({ ...adminFormFields, pages: handlerPageSelectionSchema.default({}) }),
)
const handlerUpdateSchema = z.strictObject({ ...adminUpdateSchema.shape, pages: handlerPageSelectionSchema.optional() })

const accountSummarySchema = z.object({ id: idField, username: z.string(), email: z.string(), version: z.int() })

const canManageAdmins = adminsWithPages('admin_pages')
const canManageHandlers = adminsWithPages('leads_handlers')
/** Moving an account takes it off one page and puts it on the other, so it needs both. */
const canMoveStaff = bothRules(canManageAdmins, canManageHandlers)

const adminDetailsSchema = z.object({
  admin: accountSummarySchema,
  permissions: pageSelectionSchema,
  campaignsPermissions: campaignSelectionSchema,
})

export const adminsContract = {
  list: endpoint('GET /admin/admins', {
    allow: adminsWithPages('admin_pages', 'activityLog', 'changelog'),
    reads: ['admin'],
    description:
      'The admins by id; with `with_super_admin` the names of the super admins too. Users who only pick colleagues get names.',
    query: z.object({ with_super_admin: queryCheckbox, cache: z.unknown().optional() }),
    response: z.object({ admins: z.record(z.string(), z.union([staffMemberSchema, colleagueSchema])) }),
  }),
  pages: endpoint('GET /admin/pages-list', {
    allow: canManageAdmins,
    reads: ['admin'],
    description: 'The pages that the caller may grant to an admin.',
    response: z.array(grantablePageSchema),
  }),
  get: endpoint('GET /admin/admins/:id', {
    allow: canManageAdmins,
    reads: ['admin'],
    description: 'An admin with the pages and, of the campaigns that the reader may see, those ticked for them.',
    response: adminDetailsSchema,
  }),
  create: endpoint('POST /admin/admins', {
    allow: canManageAdmins,
    changes: ['admin'],
    reauthenticate: true,
    body: adminFormSchema,
    response: staffMemberSchema,
    success: 'Admin was created successfully',
  }),
  update: endpoint('POST /admin/admins/:id', {
    allow: canManageAdmins,
    changes: ['admin'],
    reauthenticate: true,
    description:
      'Changes only the fields sent. Campaigns that the editor cannot see stay unchanged. A new password ends their sessions.',
    body: adminUpdateSchema,
    response: staffMemberSchema,
    conflict: { newer: adminDetailsSchema },
    success: 'Admin was changed successfully',
  }),
  remove: endpoint('DELETE /admin/admins/:id', {
    allow: canManageAdmins,
    changes: ['admin'],
    confirm: 'Are you sure to remove this admin?',
    success: 'Admin was deleted successfully',
  }),
  move: endpoint('PATCH /admin/admins/:id/move-to-lead-handlers', {
    allow: canMoveStaff,
    changes: ['admin', 'leads-handler'],
    description:
      'Makes the admin a leads handler: pages that handlers cannot have are dropped, campaigns stay, sessions end.',
    response: staffMemberSchema,
    confirm: 'Are you sure to change role for this users. Some permissions might be lost',
    success: 'Admin was changed successfully',
  }),
}

const handlerSuccessMessage = 'Success'

const handlerDetailsSchema = accountSummarySchema.extend({
  pages: handlerPageSelectionSchema,
  campaigns: campaignSelectionSchema,
  /** True if they have every campaign that is not archived; then only a super admin changes them. */
  has_every_campaign: z.boolean(),
})

export const leadsHandlersContract = {
  list: endpoint('GET /leads-handlers', {
    allow: canManageHandlers,
    reads: ['leads-handler'],
    description: 'The leads handlers who share a campaign with the reader, and those who have none.',
    query: z.object({ cache: z.unknown().optional() }),
    response: z.object({ users: z.array(staffMemberSchema) }),
  }),
  pages: endpoint('GET /leads-handlers/pages-list', {
    allow: canManageHandlers,
    reads: ['leads-handler'],
    description: 'The pages that a leads handler can have.',
    response: z.array(grantablePageSchema),
  }),
  get: endpoint('GET /leads-handlers/:id', {
    allow: canManageHandlers,
    reads: ['leads-handler'],
    response: handlerDetailsSchema,
  }),
  create: endpoint('POST /leads-handlers', {
    allow: canManageHandlers,
    changes: ['leads-handler'],
    reauthenticate: true,
    body: handlerFormSchema,
    response: staffMemberSchema,
    success: handlerSuccessMessage,
  }),
  update: endpoint('PATCH /leads-handlers/:id', {
    allow: canManageHandlers,
    changes: ['leads-handler'],
    reauthenticate: true,
    description:
      'Changes only the fields sent. Rights that the editor cannot see stay unchanged. A new password ends their sessions.',
    body: handlerUpdateSchema,
    response: staffMemberSchema,
    conflict: { newer: handlerDetailsSchema },
    success: handlerSuccessMessage,
  }),
  remove: endpoint('DELETE /leads-handlers/:id', {
    allow: canManageHandlers,
    changes: ['leads-handler'],
    confirm: 'Are you sure to remove this admin?',
    success: handlerSuccessMessage,
  }),
  move: endpoint('PATCH /leads-handlers/:id/move-to-admins', {
    allow: canMoveStaff,
    changes: ['admin', 'leads-handler'],
    reauthenticate: true,
    description: 'Makes the leads handler an admin, with the pages and campaigns that they have. Sessions end.',
    response: staffMemberSchema,
    confirm: 'Are you sure to change role for this user? He might get extra permissions',
    success: handlerSuccessMessage,
  }),
}

const userSessionSchema = z.object({
  created_at: textInstantField,
  expires_at: textInstantField,
  address: z.string().nullable(),
  via: z.enum(sessionKinds),
})
export type UserSession = z.infer<typeof userSessionSchema>

export const userSessionsContract = {
  list: endpoint('GET /users/:id/sessions', {
    allow: superAdminOnly,
    reads: ['user'],
    description: 'The sessions of a user.',
    response: z.array(userSessionSchema),
  }),
  end: endpoint('DELETE /users/:id/sessions', {
    allow: superAdminOnly,
    changes: ['user'],
    description: 'Signs a user out everywhere, and ends their remote token.',
    confirm: 'Are you sure to sign this user out everywhere?',
    confirmLabel: 'Sign out',
    success: 'User was signed out everywhere',
  }),
}
