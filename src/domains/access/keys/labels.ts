import type { PermissionFlag } from '#contract/allow.ts'

/** What a key may do: only read, or everything that its pages allow. */
export const keyAccesses = ['read', 'write'] as const
export type KeyAccess = (typeof keyAccesses)[number]
export const keyAccessTitles: Record<KeyAccess, string> = { read: 'Read', write: 'Read and write' }

/** Pages of accounts and rights, whose calls no key may make. */
export const pagesClosedToKeys: readonly PermissionFlag[] = ['admin_pages', 'leads_handlers']
