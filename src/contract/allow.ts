/** The page flags of a user, as the wire spells them, plus the flag that opens the tag and tracking columns of leads. */
export const permissionFlags = [
  'dashboard',
  'admin_pages',
  'leads_handlers',
  'leads',
  'leadsRelated',
  'archivedleads',
  'leadChart',
  'campaigns',
  'changelog',
  'activityLog',
  'campaignCategories',
  'campaignMap',
  'campaignGmbs',
  'googleLocations',
  'clients',
  'clientSites',
  'networkSites',
  'outgoingLinks',
  'networkCategories',
  'redirectDomains',
  'ipAddresses',
  'show_lead_http_columns',
] as const
export type PermissionFlag = (typeof permissionFlags)[number]
export type Permissions = Record<PermissionFlag, boolean>

/** The pages a leads handler can hold at all; whatever else is stored on such a user has no effect. */
export const handlerFlags = [
  'dashboard',
  'leads',
  'archivedleads',
  'leadChart',
  'show_lead_http_columns',
] as const satisfies readonly PermissionFlag[]
/** A customer holds these without being ticked, and no other. */
export const customerFlags: readonly PermissionFlag[] = ['leads', 'archivedleads']

/** Who asks, as far as a rule may look at them. The server's `CurrentUser` and the answer of GET user/me both are one. */
export type AccessSubject = {
  isAdmin: boolean
  isSuperAdmin: boolean
  /** The login account of a client. */
  isCustomer: boolean
  permissions: Permissions
}

/**
 * Who may make a call. Rules are only ever positive: a rule that says "not an admin" would let guests in.
 * The server asks before the handler; the menu, the router and the buttons ask the same function.
 */
export type AccessRule = ((me: AccessSubject | null) => boolean) & {
  readonly guests?: boolean
  readonly words: string
  /** The pages that it names. */
  readonly pages: readonly PermissionFlag[]
}

function createRule(
  words: string,
  test: (me: AccessSubject) => boolean,
  pages: readonly PermissionFlag[] = [],
): AccessRule {
  return Object.assign((me: AccessSubject | null) => me !== null && test(me), { words, pages })
}

/** Public calls: they carry their own proof (a password, a key, a signature) or need none. */
export const allowEveryone = Object.assign(() => true, { guests: true as const, words: 'everyone', pages: [] })
export const signedIn = createRule('signed in', () => true)
/** Admins and super admins. */
export const adminOnly = createRule('admin', (me) => me.isAdmin || me.isSuperAdmin)
export const superAdminOnly = createRule('super admin', (me) => me.isSuperAdmin)
/** Everyone of the agency: super admins, admins and leads handlers. */
export const staffOnly = createRule('staff', (me) => !me.isCustomer)
/** Holds at least one of these pages. */
export const mayUsePages = (...pages: PermissionFlag[]) =>
  createRule(pages.join(' or '), (me) => pages.some((page) => me.permissions[page]), pages)
export const bothRules = (a: AccessRule, b: AccessRule) =>
  createRule(`${a.words}, and ${b.words}`, (me) => a(me) && b(me), joinPages(a, b))
export const eitherRule = (a: AccessRule, b: AccessRule) =>
  createRule(`${a.words}, or ${b.words}`, (me) => a(me) || b(me), joinPages(a, b))
const joinPages = (a: AccessRule, b: AccessRule) => [...new Set([...a.pages, ...b.pages])]
