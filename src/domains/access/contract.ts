import { z } from 'zod'
import { admin, both, type Flag, flags, handlerFlags, may, superAdmin } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { email, flag, id, password, queryCheck, required } from '#contract/fields.ts'

/** An account in the tables of Admin Access and Leads Handlers Access. */
export const person = z.object({
  id,
  username: z.string(),
  email: z.string(),
  /** How many campaigns are ticked for them, of those that the reader may see. */
  campaigns_count: z.int(),
  /** Whether the reader holds all that they hold, and is not them: only then may the account be changed. */
  may_change: z.boolean(),
})
export type Person = z.infer<typeof person>

/** What those read who only pick a colleague, for the activity log or the changelog. */
const colleague = person.pick({ id: true, username: true })

/** A page that can be given; its id is its flag. */
const page = z.object({ id: z.enum(flags), title: z.string() })
export type Page = z.infer<typeof page>

/** Ticked pages: page to 1. What is 0 or absent is not ticked. */
const ticksOf = <const Pages extends readonly [Flag, ...Flag[]]>(pages: Pages) => z.partialRecord(z.enum(pages), flag)
const pageTicks = ticksOf(flags)
const handlerPageTicks = ticksOf(handlerFlags)
/** Ticked campaigns: id to 1. */
const campaignTicks = z
  .record(z.string().regex(/^\d{1,10}$/, 'Not a campaign'), flag)
  .refine((ticks) => Object.keys(ticks).length <= 20_000, 'Too many campaigns')

/** The keys that are ticked. */
export const ticked = <Key extends string>(ticks: Partial<Record<Key, 0 | 1>> | undefined): Key[] =>
  Object.entries(ticks ?? {}).flatMap(([key, on]) => (on ? [key as Key] : [])) // its own keys

const emailSentence = 'Please enter email'
const account = {
  username: required('Please enter username', 100),
  email: required(emailSentence, 254).pipe(email()),
  password: password('Please enter password'),
}
/** An empty password keeps the old one. */
const newPassword = z.preprocess(
  (value) => (value === '' || value === null ? undefined : value),
  account.password.optional(),
)
/** The version that the editor saw; without it the last writer wins. */
const version = z.int().min(1).optional()

/** Anything else in a body (a role, another id) is refused by name: nothing here is ever mass-assigned. */
const adminForm = z.strictObject({ ...account, pages: pageTicks.default({}), campaigns: campaignTicks.default({}) })
const adminChanges = z.strictObject({
  password: newPassword,
  pages: pageTicks.optional(),
  campaigns: campaignTicks.optional(),
  version,
})
const handlerForm = z.strictObject({ ...adminForm.shape, pages: handlerPageTicks.default({}) })
const handlerChanges = z.strictObject({ ...adminChanges.shape, pages: handlerPageTicks.optional() })

const name = z.object({ id, username: z.string(), email: z.string(), version: z.int() })

const keepsAdmins = both(admin, may('admin_pages'))
const keepsHandlers = both(admin, may('leads_handlers'))
/** Moving somebody takes them out of one page's hands and puts them into the other's. */
const moves = both(keepsAdmins, keepsHandlers)

export const admins = {
  list: endpoint('GET /admin/admins', {
    allow: both(admin, may('admin_pages', 'activityLog', 'changelog')),
    about:
      'The admins by id; with `with_super_admin` the names of the super admins too. Who only picks colleagues reads names.',
    query: z.object({ with_super_admin: queryCheck, cache: z.unknown().optional() }),
    answers: z.object({ admins: z.record(z.string(), z.union([person, colleague])) }),
  }),
  pages: endpoint('GET /admin/pages-list', {
    allow: keepsAdmins,
    about: 'The pages that one may give to an admin.',
    answers: z.array(page),
  }),
  get: endpoint('GET /admin/admins/:id', {
    allow: keepsAdmins,
    about: 'An admin with the pages and, of the campaigns that the reader may see, those ticked for them.',
    answers: z.object({ admin: name, permissions: pageTicks, campaignsPermissions: campaignTicks }),
  }),
  create: endpoint('POST /admin/admins', {
    allow: keepsAdmins,
    body: adminForm,
    answers: person,
    says: 'Admin was created successfully',
  }),
  update: endpoint('POST /admin/admins/:id', {
    allow: keepsAdmins,
    about:
      'Changes what is sent. Campaigns that the editor cannot see stay as they are. A new password ends their sessions.',
    body: adminChanges,
    answers: person,
    says: 'Admin was changed successfully',
  }),
  remove: endpoint('DELETE /admin/admins/:id', {
    allow: keepsAdmins,
    asks: 'Are you sure to remove this admin?',
    says: 'Admin was deleted successfully',
  }),
  move: endpoint('PATCH /admin/admins/:id/move-to-lead-handlers', {
    allow: moves,
    about:
      'Makes the admin a leads handler: pages that handlers cannot have are dropped, campaigns stay, sessions end.',
    answers: person,
    asks: 'Are you sure to change role for this users. Some permissions might be lost',
    says: 'Admin was changed successfully',
  }),
}

const says = 'Success'

export const handlers = {
  list: endpoint('GET /leads-handlers', {
    allow: keepsHandlers,
    about: 'The leads handlers who share a campaign with the reader, and those who have none.',
    query: z.object({ cache: z.unknown().optional() }),
    answers: z.object({ users: z.array(person) }),
  }),
  pages: endpoint('GET /leads-handlers/pages-list', {
    allow: keepsHandlers,
    about: 'The pages that a leads handler can have.',
    answers: z.array(page),
  }),
  get: endpoint('GET /leads-handlers/:id', {
    allow: keepsHandlers,
    answers: name.extend({
      pages: handlerPageTicks,
      campaigns: campaignTicks,
      /** Every campaign that is not archived: then only a super admin changes them. */
      has_every_campaign: z.boolean(),
    }),
  }),
  create: endpoint('POST /leads-handlers', { allow: keepsHandlers, body: handlerForm, answers: person, says }),
  update: endpoint('PATCH /leads-handlers/:id', {
    allow: keepsHandlers,
    about: 'Changes what is sent. What the editor cannot see stays as it is. A new password ends their sessions.',
    body: handlerChanges,
    answers: person,
    says,
  }),
  remove: endpoint('DELETE /leads-handlers/:id', {
    allow: keepsHandlers,
    asks: 'Are you sure to remove this admin?',
    says,
  }),
  move: endpoint('PATCH /leads-handlers/:id/move-to-admins', {
    allow: moves,
    about: 'Makes the leads handler an admin, with the pages and campaigns that they have. Sessions end.',
    answers: person,
    asks: 'Are you sure to change role for this user? He might get extra permissions',
    says,
  }),
}

const openSession = z.object({
  /** When it began. */
  created_at: z.string(),
  expires_at: z.string(),
  address: z.string().nullable(),
  via: z.enum(['password', 'remote_token']),
})
export type OpenSession = z.infer<typeof openSession>

export const sessions = {
  list: endpoint('GET /users/:id/sessions', {
    allow: superAdmin,
    about: 'Where somebody is signed in.',
    answers: z.array(openSession),
  }),
  end: endpoint('DELETE /users/:id/sessions', {
    allow: superAdmin,
    about: 'Signs somebody out everywhere, and ends their remote token.',
    asks: 'Are you sure to sign this user out everywhere?',
    says: 'Success',
  }),
}

/** What a 409 carries besides its message. */
export const newerAdmin = z.object({ newer: admins.get.answers })
export const newerHandler = z.object({ newer: handlers.get.answers })
