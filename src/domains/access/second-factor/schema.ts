import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { userRoles } from '../labels.ts'
import { type SessionVia, usersTable } from '../schema.ts'

const userColumn = () =>
  integer()
    .notNull()
    .references(() => usersTable.id, { onDelete: 'cascade' })

/** The secret of an authenticator app. It takes effect once one of its codes is entered. */
export const totpSecretsTable = pgTable('totp_secrets', {
  user_id: userColumn().primaryKey(),
  secret_encrypted: byteaColumn().notNull(),
  enabled_at: timestampColumn(),
  /** The time step of the last accepted code. Codes of this step or an older one are rejected. */
  last_step: integer(),
  created_at: timestampNowColumn(),
})

/** The associated data of an encrypted secret. */
export const totpSecretAad = (userId: number) => `totp_secrets.secret_encrypted:${userId}`

export const passkeysTable = pgTable(
  'passkeys',
  {
    id: identityColumn(),
    user_id: userColumn(),
    name: text().notNull(),
    credential_id: text().notNull(),
    public_key: byteaColumn().notNull(),
    /** The authenticator's own use count; 0 if it does not count. */
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull().default([]),
    created_at: timestampNowColumn(),
    last_used_at: timestampColumn(),
  },
  (passkey) => [
    uniqueIndex('passkeys_credential').on(passkey.credential_id),
    index('passkeys_user').on(passkey.user_id),
  ],
)

/** SHA-256 of the unused recovery codes. */
export const recoveryCodesTable = pgTable(
  'recovery_codes',
  { user_id: userColumn(), code_hash: byteaColumn().notNull() },
  (code) => [primaryKey({ columns: [code.user_id, code.code_hash] })],
)

/** Sign-ins waiting for their second factor. */
export const signInChallengesTable = pgTable(
  'sign_in_challenges',
  {
    /** SHA-256 of the challenge that the browser holds. */
    challenge_hash: byteaColumn().primaryKey(),
    user_id: userColumn(),
    via: text().$type<SessionVia>().notNull(),
    expires_at: timestampColumn().notNull(),
  },
  (challenge) => [
    index('sign_in_challenges_user').on(challenge.user_id),
    index('sign_in_challenges_expiry').on(challenge.expires_at),
  ],
)

/** Challenges for authenticators to sign; each works once. */
export const passkeyChallengesTable = pgTable(
  'passkey_challenges',
  {
    challenge_hash: byteaColumn().primaryKey(),
    purpose: text({ enum: ['registration', 'authentication'] }).notNull(),
    /** Whose passkey must sign; null if any may. */
    user_id: integer().references(() => usersTable.id, { onDelete: 'cascade' }),
    expires_at: timestampColumn().notNull(),
  },
  (challenge) => [
    index('passkey_challenges_user').on(challenge.user_id),
    index('passkey_challenges_expiry').on(challenge.expires_at),
  ],
)

/** The roles that must have a second factor. */
export const secondFactorRolesTable = pgTable(
  'second_factor_roles',
  { role: text({ enum: userRoles }).primaryKey() },
  (row) => [
    check('second_factor_roles_role', sql`${row.role} in ('super_admin', 'admin', 'leads_handler', 'customer')`),
  ],
)
