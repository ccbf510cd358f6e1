/** The page flags of a user, as the wire spells them, plus the flag that opens the tag and tracking columns of leads. */
export const flags = [
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
export type Flag = (typeof flags)[number]
export type Permissions = Record<Flag, boolean>

/** The pages a leads handler can hold at all; whatever else is stored on such a user has no effect. */
export const handlerFlags = [
  'dashboard',
  'leads',
  'archivedleads',
  'leadChart',
  'show_lead_http_columns',
] as const satisfies readonly Flag[]
/** A customer holds these without being ticked, and no other. */
export const customerFlags: readonly Flag[] = ['leads', 'archivedleads']

/** Whoever asks, as far as a rule may look at them. The server's `Me` and the answer of GET user/me both are one. */
export type Person = { isAdmin: boolean; isSuperAdmin: boolean; permissions: Permissions }

/**
 * Who may make a call. Rules are only ever positive: a rule that says "not an admin" would let guests in.
 * The server asks before the handler; the menu, the router and the buttons ask the same function.
 */
export type Allow = ((me: Person | null) => boolean) & { readonly guests?: boolean; readonly words: string }

function rule(words: string, test: (me: Person) => boolean): Allow {
  return Object.assign((me: Person | null) => me !== null && test(me), { words })
}

/** Public calls: they carry their own proof (a password, a key, a signature) or need none. */
export const everyone = Object.assign(() => true, { guests: true as const, words: 'everyone' })
export const signedIn = rule('signed in', () => true)
/** Admins and super admins. */
export const admin = rule('admin', (me) => me.isAdmin || me.isSuperAdmin)
export const superAdmin = rule('super admin', (me) => me.isSuperAdmin)
/** Holds at least one of these pages. */
export const may = (...pages: Flag[]) => rule(pages.join(' or '), (me) => pages.some((page) => me.permissions[page]))
export const both = (a: Allow, b: Allow) => rule(`${a.words}, and ${b.words}`, (me) => a(me) && b(me))
export const either = (a: Allow, b: Allow) => rule(`${a.words}, or ${b.words}`, (me) => a(me) || b(me))
