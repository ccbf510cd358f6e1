import { and, eq } from 'drizzle-orm'
import { generateSecret } from 'otplib'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { recoveryCodesTable } from '../schema.ts'

const codeCount = 10
/** 120 random bits: enough for a plain hash. */
const codeBytes = 15

/** Replaces the old codes with ten new ones and returns them; only their hashes are stored. */
export async function replaceRecoveryCodes(tx: Tx, actor: AuditActor, userId: number): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, createRecoveryCode)
  await tx.delete(recoveryCodesTable).where(eq(recoveryCodesTable.user_id, userId))
  await tx
    .insert(recoveryCodesTable)
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashRecoveryCode(code) })))
  await writeAudit(tx, actor, {
    kind: 'user',
    rowId: userId,
    before: { recovery_codes: 'old' },
    after: { recovery_codes: 'new' },
  })
  return codes
}

/** Returns whether the code is one of the unused codes, and uses it up. */
export async function redeemRecoveryCode(tx: Tx, actor: AuditActor, userId: number, code: string): Promise<boolean> {
  const isOfUser = eq(recoveryCodesTable.user_id, userId)
  const used = await tx
    .delete(recoveryCodesTable)
    .where(and(isOfUser, eq(recoveryCodesTable.code_hash, hashRecoveryCode(code))))
    .returning({ id: recoveryCodesTable.user_id })
  if (used.length === 0) return false
  const left = await tx.$count(recoveryCodesTable, isOfUser)
  await writeAudit(tx, actor, {
    kind: 'user',
    rowId: userId,
    before: { recovery_codes_left: left + 1 },
    after: { recovery_codes_left: left },
  })
  return true
}

/** Four groups of six unambiguous letters and digits. */
const createRecoveryCode = () =>
  generateSecret({ length: codeBytes })
    .toLowerCase()
    .replaceAll(/(.{6})(?=.)/g, '$1-')

/** Accepts codes with or without hyphens, in any case. */
const hashRecoveryCode = (code: string) => hashSha256(code.replaceAll(/[\s-]/g, '').toLowerCase())
