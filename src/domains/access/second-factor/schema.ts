import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { userRoles } from '../labels.ts'
import { type SessionVia, usersTable } from '../schema.ts'

const userColumn = () =>
  integer()
    .notNull()
    .references(() => usersTable.id, { onDelete: 'cascade' })

/** The secret of an authenticator app. It counts once a code of it was entered. */
export const totpSecretsTable = pgTable('totp_secrets', {
  user_id: userColumn().primaryKey(),
  secret_encrypted: byteaColumn().notNull(),
  enabled_at: timestampColumn(),
  /** The time step of the last code that was taken: neither it nor an older one is taken again. */
  last_step: integer(),
  created_at: timestampNowColumn(),
})

/** What an encrypted secret is bound to. */
export const totpSecretAad = (userId: number) => `totp_secrets.secret_encrypted:${userId}`

export const passkeysTable = pgTable(
  'passkeys',
  {
    id: identityColumn(),
    user_id: userColumn(),
    name: text().notNull(),
    credential_id: text().notNull(),
    public_key: byteaColumn().notNull(),
    /** How often the authenticator says it was used; 0 where it does not count. */
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

/** SHA-256 of the recovery codes that are left. */
export const recoveryCodesTable = pgTable(
  'recovery_codes',
  { user_id: userColumn(), code_hash: byteaColumn().notNull() },
  (code) => [primaryKey({ columns: [code.user_id, code.code_hash] })],
)

/** Sign-ins that wait for their second factor. */
export const signInChallengesTable = pgTable(
  'sign_in_challenges',
  {
    /** SHA-256 of what the browser holds. */
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

/** What authenticators were asked to sign; each is good once. */
export const passkeyChallengesTable = pgTable(
  'passkey_challenges',
  {
    challenge_hash: byteaColumn().primaryKey(),
    purpose: text({ enum: ['registration', 'authentication'] }).notNull(),
    /** Whose passkey must sign; null where any may. */
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
