import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { generateSecret, generateURI, verify } from 'otplib'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError } from '#core/http/errors.ts'
import type { SecretBox } from '#core/secrets/secrets.ts'
import { readAgency } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { recoveryCodesTable, totpSecretAad, totpSecretsTable } from '../schema.ts'
import { redeemRecoveryCode, replaceRecoveryCodes } from './recovery-codes.ts'

/** RFC 6238 with the defaults of authenticator apps: SHA-1, 6 digits, 30 seconds. Codes one step early or late are accepted. */
const stepSeconds = 30
const secretBytes = 20

const isEnabled = (userId: number) => and(eq(totpSecretsTable.user_id, userId), isNotNull(totpSecretsTable.enabled_at))

/** Creates the secret for the user's app, replacing one that was never turned on. */
export async function beginTotp({ db, secrets, settings }: AppContext, me: { id: number; username: string }) {
  const secret = generateSecret({ length: secretBytes })
  const secret_encrypted = secrets.seal(secret, totpSecretAad(me.id))
  const kept = await db
    .insert(totpSecretsTable)
    .values({ user_id: me.id, secret_encrypted })
    .onConflictDoUpdate({
      target: totpSecretsTable.user_id,
      set: { secret_encrypted, created_at: sql`now()` },
      setWhere: isNull(totpSecretsTable.enabled_at),
    })
    .returning({ id: totpSecretsTable.user_id })
  if (kept.length === 0) throw conflictError('An authenticator app is set up already. Please turn it off first')
  const { name: issuer } = await readAgency(db, settings)
  return { secret, uri: generateURI({ issuer, label: me.username, secret }) }
}

/** Turns the app on and returns new recovery codes; null for a wrong code. */
export function enableTotp({ db, secrets }: AppContext, actor: AuditActor, userId: number, code: string) {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(totpSecretsTable).where(eq(totpSecretsTable.user_id, userId)).for('update')
    if (!row) throw conflictError('Please start setting up the authenticator app first')
    if (row.enabled_at) throw conflictError('An authenticator app is set up already')
    if (!(await redeemCode(tx, secrets, row, code))) return null
    await tx.update(totpSecretsTable).set({ enabled_at: sql`now()` }).where(eq(totpSecretsTable.user_id, userId))
    await auditTotp(tx, actor, userId, 'on')
    return replaceRecoveryCodes(tx, actor, userId)
  })
}

/** Turns the app off, with a code of it or a recovery code, and removes the recovery codes; returns false for a wrong code. */
export function disableTotp({ db, secrets }: AppContext, actor: AuditActor, userId: number, code: string) {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(totpSecretsTable).where(isEnabled(userId)).for('update')
    if (!row) throw conflictError('No authenticator app is set up')
    const isRight = (await redeemCode(tx, secrets, row, code)) || (await redeemRecoveryCode(tx, actor, userId, code))
    if (!isRight) return false
    await tx.delete(totpSecretsTable).where(eq(totpSecretsTable.user_id, userId))
    await tx.delete(recoveryCodesTable).where(eq(recoveryCodesTable.user_id, userId))
    await auditTotp(tx, actor, userId, 'off')
    return true
  })
}

/** Returns whether the code is an unused code of the user's app, and uses it up. */
export function redeemTotpCode({ db, secrets }: AppContext, userId: number, code: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(totpSecretsTable).where(isEnabled(userId)).for('update')
    return row !== undefined && redeemCode(tx, secrets, row, code)
  })
}

async function redeemCode(tx: Tx, secrets: SecretBox, row: typeof totpSecretsTable.$inferSelect, typed: string) {
  const token = typed.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return false
  const found = await verify({
    secret: secrets.open(row.secret_encrypted, totpSecretAad(row.user_id)),
    token,
    epochTolerance: stepSeconds,
    ...(row.last_step === null ? {} : { afterTimeStep: row.last_step }),
  })
  if (!found.valid || !('timeStep' in found)) return false
  await tx.update(totpSecretsTable).set({ last_step: found.timeStep }).where(eq(totpSecretsTable.user_id, row.user_id))
  return true
}

const auditTotp = (tx: Tx, actor: AuditActor, rowId: number, now: 'on' | 'off') =>
  writeAudit(tx, actor, {
    kind: 'user',
    rowId,
    before: { authenticator_app: now === 'on' ? 'off' : 'on' },
    after: { authenticator_app: now },
  })
