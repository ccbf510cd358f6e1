import { diffFields, writeAudit } from '#core/audit/write-audit.ts'
import { isStale, staleVersionError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { requireCampaign } from '#domains/campaigns/server/require-campaign.ts'
import { termsContract } from '../contract.ts'
import { campaignTermsTable } from '../schema.ts'
import { readStoredTerms, toCampaignTerms } from './queries.ts'

export const termsHandlers = implementContract(termsContract, {
  read: async ({ db, me, params, context }) => {
    const campaign = await requireCampaign(db, me, params.id)
    const stored = (await readStoredTerms(db, [params.id])).get(params.id)
    return toCampaignTerms(campaign, stored, context.settings.AGENCY_TIMEZONE)
  },

  save: ({ db, me, params, body, actor, context }) =>
    db.transaction(async (tx) => {
      const zone = context.settings.AGENCY_TIMEZONE
      // Sending a statement waits for the same lock on the campaign.
      const campaign = await requireCampaign(tx, me, params.id, { lock: 'no key update' })
      const stored = (await readStoredTerms(tx, [params.id])).get(params.id)
      const now = toCampaignTerms(campaign, stored, zone)
      const before = { terms: stored?.terms ?? [] }
      const after = { terms: body.terms.toSorted((a, b) => a.from.localeCompare(b.from)) }
      if (Object.keys(diffFields(before, after).after).length === 0) return now
      if (isStale(body.version, now.version))
        throw staleVersionError(termsContract.save, 'Someone else has changed these terms since', now)
      const saved = { terms: after.terms, version: now.version + 1 }
      await tx
        .insert(campaignTermsTable)
        .values({ campaign_id: params.id, ...saved })
        .onConflictDoUpdate({ target: campaignTermsTable.campaign_id, set: saved })
      await writeAudit(tx, actor, { kind: 'campaign terms', rowId: params.id, before, after })
      return toCampaignTerms(campaign, saved, zone)
    }),
})
