import { render } from '@react-email/render'
import { eq } from 'drizzle-orm'
import { createElement, type ReactElement } from 'react'
import type { House } from '#core/app-context.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { clients } from '#domains/clients/schema.ts'
import { leads } from '#domains/leads/model/schema.ts'
import type { Letter } from '#integrations/smtp/smtp.ts'
import type { mails } from '../schema.ts'
import { factsOf, type LeadFacts } from './lead-facts.ts'
import { MissedCallMail, missedCallText } from './MissedCallMail.tsx'
import { NewLeadMail, newLeadText } from './NewLeadMail.tsx'
import { type Links, linksOf } from './rating-links.ts'

type Mail = typeof mails.$inferSelect

const templates: Record<
  Mail['kind'],
  {
    subject: (facts: LeadFacts) => string
    html: (facts: LeadFacts, links: Links) => ReactElement
    text: (facts: LeadFacts, links: Links) => string
  }
> = {
  notification: {
    subject: ({ type, who, campaign }) => `New ${type === 'Call' ? 'call' : 'form'} from ${who} · ${campaign}`,
    html: (facts, links) => createElement(NewLeadMail, { facts, links }),
    text: newLeadText,
  },
  missed_call_warning: {
    subject: ({ who, campaign }) => `Missed call from ${who} · ${campaign}`,
    html: (facts, links) => createElement(MissedCallMail, { facts, links }),
    text: missedCallText,
  },
}

/** A mail as it goes out, its links opened by `key`; null where its lead has been hidden meanwhile. */
export async function letterOf({ db, settings }: House, mail: Mail, key: string): Promise<Letter | null> {
  const [found] = await db
    .select({ lead: leads, campaign: campaigns.name, zone: clients.timezone })
    .from(leads)
    .innerJoin(campaigns, eq(campaigns.id, leads.campaign_id))
    .innerJoin(clients, eq(clients.id, campaigns.client_id))
    .where(eq(leads.id, mail.lead_id))
  if (!found || found.lead.hide) return null
  const { subject, html, text } = templates[mail.kind]
  const facts = factsOf(found.lead, found.campaign, found.zone)
  const links = linksOf(settings.PUBLIC_URL, mail.lead_id, key)
  return {
    to: mail.recipients,
    subject: oneLine(subject(facts)),
    html: await render(html(facts, links)),
    text: text(facts, links),
    messageId: `<lead-${mail.lead_id}-mail-${mail.id}@${new URL(settings.PUBLIC_URL).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}

/** A line break in a name must not begin another header. */
const oneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .slice(0, 150)
    .toWellFormed()
    .trim()
