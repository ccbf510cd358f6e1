import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { byteaColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '../schema.ts'

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

/** Who signed in to an account first: from then on only that identity of the provider does, whatever email it has. */
export const singleSignOnIdentitiesTable = pgTable(
  'single_sign_on_identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    user_id: integer()
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    created_at: timestampNowColumn(),
  },
  (identity) => [
    primaryKey({ columns: [identity.issuer, identity.subject] }),
    uniqueIndex('single_sign_on_identities_user').on(identity.user_id, identity.issuer),
  ],
)
