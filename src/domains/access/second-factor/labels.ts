/** The kinds of second factor, in the order in which a sign-in offers them. */
export const secondFactorMethods = ['totp', 'passkey', 'recovery'] as const
export type SecondFactorMethod = (typeof secondFactorMethods)[number]

/** The roles for which a second factor can be required, with their names. */
export const roleLabels = {
  super_admin: 'Super admins',
  admin: 'Admins',
  leads_handler: 'Leads handlers',
  customer: 'Clients',
} as const
