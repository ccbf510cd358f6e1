/** The roles that a view can be shared with. Super admins see every shared view. */
export const sharingRoles = ['admin', 'leads_handler'] as const
