import { z } from 'zod'
import type { GoogleFetch } from './connection.ts'
import { parseGoogleAnswer } from './errors.ts'

/** The state of a location at Google; `active` has voice of merchant: it is shown on Search and Maps as its owner edits it. */
type VerificationStatus =
  | 'active'
  | 'suspended'
  | 'disabled'
  | 'pending_verification'
  | 'unverified'
  | 'ownership_conflict'
  | 'in_review'
  | 'unknown'

/** Returns the state of a location, and the reason if it has no voice of merchant. */
export async function readVerificationStatus(ask: GoogleFetch, name: string): Promise<VerificationStatus> {
  const state = parseGoogleAnswer(voiceOfMerchantSchema, await ask('verifications', `${name}/VoiceOfMerchantState`))
  if (state.hasVoiceOfMerchant) return 'active'
  const reason = state.complyWithGuidelines?.recommendationReason
  if (reason === 'BUSINESS_LOCATION_SUSPENDED') return 'suspended'
  if (reason === 'BUSINESS_LOCATION_DISABLED') return 'disabled'
  if (state.resolveOwnershipConflict) return 'ownership_conflict'
  if (state.verify) return state.verify.hasPendingVerification ? 'pending_verification' : 'unverified'
  if (state.waitForVoiceOfMerchant) return 'in_review'
  return 'unknown'
}

const voiceOfMerchantSchema = z.looseObject({
  hasVoiceOfMerchant: z.boolean().catch(false),
  complyWithGuidelines: z
    .looseObject({ recommendationReason: z.string().catch('') })
    .optional()
    .catch(undefined),
  resolveOwnershipConflict: z.looseObject({}).optional().catch(undefined),
  verify: z
    .looseObject({ hasPendingVerification: z.boolean().catch(false) })
    .optional()
    .catch(undefined),
  waitForVoiceOfMerchant: z.looseObject({}).optional().catch(undefined),
})
