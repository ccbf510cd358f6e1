/** The lists that a view can be of. */
export const viewTables = ['leads', 'campaigns', 'client-sites', 'campaign-gmbs', 'leads-table', 'activity'] as const
export type ViewTable = (typeof viewTables)[number]

/** Who reads a view that is shared, besides super admins. */
export const sharingRoles = ['admin', 'leads_handler'] as const
