/** The lists that have saved views. */
export const viewTables = ['leads', 'campaigns', 'client-sites', 'campaign-gmbs', 'leads-table', 'activity'] as const
export type ViewTable = (typeof viewTables)[number]

/** The roles that a view can be shared with. Super admins see every shared view. */
export const sharingRoles = ['admin', 'leads_handler'] as const
