/** How a person reads a time of day. */
export const timeFormats = ['12h', '24h'] as const
export type TimeFormat = (typeof timeFormats)[number]

/**
 * How a session started: with a password, a client's sign-in link, a passkey or single sign-on, or as a read-only view
 * as another person.
 */
export const sessionKinds = ['password', 'remote_token', 'passkey', 'single_sign_on', 'see_as'] as const

export const userRoles = ['super_admin', 'admin', 'leads_handler', 'customer'] as const

/** The address of the account that the first start creates: no mail reaches it. */
export const firstAdminEmail = 'admin@localhost'
