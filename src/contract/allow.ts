/** The page flags of a user, as named on the wire, plus the flag for the tag and tracking columns of leads. */
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

/** The pages that a leads handler can have; other stored flags have no effect on such a user. */
export const handlerFlags = [
  'dashboard',
  'leads',
  'archivedleads',
  'leadChart',
  'show_lead_http_columns',
] as const satisfies readonly PermissionFlag[]
/** The pages of every customer; stored flags have no effect. */
export const customerFlags: readonly PermissionFlag[] = ['leads', 'archivedleads']

/** The user, as far as a rule may depend on it. The server's `CurrentUser` and the response of GET user/me both satisfy it. */
export type AccessSubject = {
  isAdmin: boolean
  isSuperAdmin: boolean
  /** The login account of a client. */
  isCustomer: boolean
  permissions: Permissions
}

/**
 * Decides who may make a call. Rules are always positive: a rule "not an admin" would let guests in.
 * The server checks it before the handler; the menu, the router and the buttons use the same function.
 */
export type AccessRule = ((me: AccessSubject | null) => boolean) & {
  readonly guests?: boolean
  readonly words: string
  /** The pages that the rule names. */
  readonly pages: readonly PermissionFlag[]
}

function createRule(
  words: string,
  test: (me: AccessSubject) => boolean,
  pages: readonly PermissionFlag[] = [],
): AccessRule {
  return Object.assign((me: AccessSubject | null) => me !== null && test(me), { words, pages })
}

/** Public calls: they authenticate with a password, a key or a signature in the request, or need no authentication. */
export const allowEveryone = Object.assign(() => true, { guests: true as const, words: 'everyone', pages: [] })
export const signedIn = createRule('signed in', () => true)
/** Admins and super admins. */
export const adminOnly = createRule('admin', (me) => me.isAdmin || me.isSuperAdmin)
export const superAdminOnly = createRule('super admin', (me) => me.isSuperAdmin)
/** All agency users: super admins, admins and leads handlers. */
export const staffOnly = createRule('staff', (me) => !me.isCustomer)
/** Users who have at least one of these pages. */
export const mayUsePages = (...pages: PermissionFlag[]) =>
  createRule(pages.join(' or '), (me) => pages.some((page) => me.permissions[page]), pages)
export const bothRules = (a: AccessRule, b: AccessRule) =>
  createRule(`${a.words}, and ${b.words}`, (me) => a(me) && b(me), joinPages(a, b))
export const eitherRule = (a: AccessRule, b: AccessRule) =>
  createRule(`${a.words}, or ${b.words}`, (me) => a(me) || b(me), joinPages(a, b))
/** Admins who have at least one of these pages. */
export const adminsWithPages = (...pages: PermissionFlag[]) => bothRules(adminOnly, mayUsePages(...pages))
const joinPages = (a: AccessRule, b: AccessRule) => [...new Set([...a.pages, ...b.pages])]
