import { index, pgTable } from 'drizzle-orm/pg-core'
import { byteaColumn, timestampColumn } from '#core/db/columns.ts'

/** Sign-ins started at the provider; each state works once, in the browser that started it. */
export const oidcStatesTable = pgTable(
  'oidc_states',
  {
    state_hash: byteaColumn().primaryKey(),
    /** SHA-256 of the browser's cookie. */
    browser_hash: byteaColumn().notNull(),
    expires_at: timestampColumn().notNull(),
  },
  (state) => [index('oidc_states_expiry').on(state.expires_at)],
)
