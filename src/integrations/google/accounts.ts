import { z } from 'zod'
import type { GoogleFetch } from './connection.ts'
import { parseGoogleAnswer } from './errors.ts'
import { iteratePages } from './paging.ts'

export type BusinessAccount = { name: string; accountName: string; type: string }

/** Reads the Business Profile accounts that a Google account can access: its own, and its groups. Each has its own locations. */
export async function readBusinessAccounts(ask: GoogleFetch): Promise<BusinessAccount[]> {
  const found: BusinessAccount[] = []
  const pages = iteratePages((pageToken) => ask('accounts', 'accounts', { query: { pageSize: '20', pageToken } }))
  for await (const page of pages) found.push(...parseGoogleAnswer(accountsPageSchema, page).accounts)
  return found
}

const accountsPageSchema = z.looseObject({
  accounts: z
    .array(
      z.looseObject({
        name: z.string().regex(/^accounts\/[\w-]+$/),
        accountName: z.string().catch(''),
        type: z.string().catch(''),
      }),
    )
    .default([]),
})
