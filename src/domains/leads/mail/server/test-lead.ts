import { eq } from 'drizzle-orm'
import { createElement } from 'react'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError } from '#core/http/errors.ts'
import { createRateLimit } from '#core/http/rate-limit.ts'
import { readEmailBrand, readReplyHeaders } from '#domains/agency/public.ts'
import { implementContract } from '#domains/app-context.ts'
import { testLeadContract } from '#domains/campaigns/handover/contract.ts'
import { requireCampaign } from '#domains/campaigns/public.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { queueEmail, renderHtml } from '#domains/messages/public.ts'
import { mailerNotConnected } from '#integrations/smtp/smtp.ts'
import { testLeadsTable } from '../schema.ts'
import { buildMailFacts } from './lead-facts.ts'
import { buildNewLeadText, NewLeadMail } from './NewLeadMail.tsx'
import { buildTestLinks } from './rating-links.ts'

const countTestLeads = createRateLimit(10, 'Too many test leads, please try again in a minute')

export const testLeadHandlers = implementContract(testLeadContract, {
  send: async ({ db, me, params, body: { to }, context, actor }) => {
    const campaign = await requireCampaign(db, me, params.id)
    if (!(await context.mailer.isConnected(db))) throw conflictError(mailerNotConnected)
    await countTestLeads(context, me.id)
    const [client] = await db
      .select({ timezone: clientsTable.timezone })
      .from(clientsTable)
      .where(eq(clientsTable.id, campaign.client_id))
    const content = {
      facts: buildMailFacts(buildSampleLead(), campaign.name, client!.timezone), // the key of a campaign's client holds
      links: buildTestLinks(context.settings.PUBLIC_URL),
      brand: await readEmailBrand(db, context.settings),
      isTest: true,
    }
    const html = await renderHtml(createElement(NewLeadMail, content))
    const text = buildNewLeadText(content)
    await db.transaction(async (tx) => {
      const subject = `Test: New form from ${content.facts.who} · ${campaign.name}`
      const headers = await readReplyHeaders(tx, context.settings)
      const message_id = await queueEmail(tx, context, { kind: 'test lead', to, subject, html, text, headers })
      if (message_id === null) return // only a message with a key of its own is queued once
      await tx
        .insert(testLeadsTable)
        .values({ campaign_id: campaign.id, message_id })
        .onConflictDoUpdate({ target: testLeadsTable.campaign_id, set: { message_id } })
      await writeAudit(tx, actor, { kind: 'test lead', rowId: campaign.id, before: null, after: { to } })
    })
    return { message: `A test lead is on its way to ${to}` }
  },
})

/** What was tested for the client who had the campaign before says nothing of the one who gets it. */
export async function forgetTestLead(tx: Tx, _: unknown, campaign: { id: number }): Promise<void> {
  await tx.delete(testLeadsTable).where(eq(testLeadsTable.campaign_id, campaign.id))
}

const buildSampleLead = () => ({
  lead_type: 'Form' as const,
  occurred_at: new Date(),
  lead_name: 'Test Lead',
  lead_location: null,
  lead_email: 'test@example.com',
  lead_phone: '+15125550100',
  message: 'Hello! This is what a new lead looks like: who it is, how to reach them, and what they asked.',
  duration: null,
  answering_status: null,
  voicemail: false,
  tracking_phone_number: null,
  source: 'Google Organic',
  recording_url: null,
})
