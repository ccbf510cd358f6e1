import { superAdminOnly } from '#contract/allow.ts'

/** Who may import. In a file of its own, because every list has a button for it and few need the calls. */
export const mayImport = superAdminOnly
