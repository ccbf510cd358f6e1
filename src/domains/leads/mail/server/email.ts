import { eq, isNotNull } from 'drizzle-orm'
import { createElement, type ReactElement } from 'react'
import { cutText } from '#contract/cut-text.ts'
import { readEmailBrand, readReplyHeaders } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { isClientActive } from '#domains/clients/public.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { unsentMailReasons } from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { buildMessageId, type EmailBrand, renderHtml } from '#domains/messages/public.ts'
import type { EmailMessage } from '#integrations/smtp/smtp.ts'
import type { mailsTable } from '../schema.ts'
import { buildMailFacts, type LeadMailFacts } from './lead-facts.ts'
import { buildMissedCallText, MissedCallMail } from './MissedCallMail.tsx'
import { buildNewLeadText, NewLeadMail } from './NewLeadMail.tsx'
import { buildMailLinks, type MailLinks } from './rating-links.ts'

type MailRow = typeof mailsTable.$inferSelect
type LeadMailContent = { facts: LeadMailFacts; links: MailLinks; brand: EmailBrand }

const mailTemplates: Record<
  MailRow['kind'],
  {
    subject: (facts: LeadMailFacts) => string
    html: (content: LeadMailContent) => ReactElement
    text: (content: LeadMailContent) => string
  }
> = {
  notification: {
    subject: ({ type, who, campaign }) => `New ${type === 'Call' ? 'call' : 'form'} from ${who} · ${campaign}`,
    html: (content) => createElement(NewLeadMail, content),
    text: buildNewLeadText,
  },
  missed_call_warning: {
    subject: ({ who, campaign }) => `Missed call from ${who} · ${campaign}`,
    html: (content) => createElement(MissedCallMail, content),
    text: buildMissedCallText,
  },
}

/**
 * Renders a mail whose links contain `key`; returns why not if its lead was hidden or moved to another client in the meantime, or its
 * client removed, switched off or wants no mails anymore.
 */
export async function renderLeadEmail(
  { db, settings }: AppContext,
  mail: MailRow,
  key: string,
): Promise<EmailMessage | { unsent: string }> {
  const [found] = await db
    .select({
      lead: leadsTable,
      campaign: campaignsTable.name,
      clientId: clientsTable.id,
      zone: clientsTable.timezone,
      isRemoved: isNotNull(clientsTable.deleted_at),
      isDisabled: clientsTable.disable_notifications,
    })
    .from(leadsTable)
    .innerJoin(campaignsTable, eq(campaignsTable.id, leadsTable.campaign_id))
    .innerJoin(clientsTable, eq(clientsTable.id, campaignsTable.client_id))
    .where(eq(leadsTable.id, mail.lead_id))
  if (found?.lead.hide) return { unsent: unsentMailReasons.hidden }
  if (!found || (mail.client_id !== null && mail.client_id !== found.clientId))
    return { unsent: unsentMailReasons.otherClient }
  if (found.isRemoved) return { unsent: unsentMailReasons.removedClient }
  if (!(await isClientActive(db, found.clientId))) return { unsent: unsentMailReasons.switchedOff }
  if (found.isDisabled) return { unsent: unsentMailReasons.disabled }
  const { subject, html, text } = mailTemplates[mail.kind]
  const facts = buildMailFacts(found.lead, found.campaign, found.zone)
  const links = buildMailLinks(settings.PUBLIC_URL, mail.lead_id, key)
  const brand = await readEmailBrand(db, settings)
  const content = { facts, links, brand }
  return {
    to: mail.recipients,
    subject: toOneLine(subject(facts)),
    html: await renderHtml(html(content)),
    text: text(content),
    messageId: buildMessageId(settings, `lead-${mail.lead_id}-mail-${mail.again_of ?? mail.id}`, found.lead.created_at),
    sender: brand.name,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(await readReplyHeaders(db, settings)),
    },
  }
}

/** Removes line breaks, which could start another header. */
const toOneLine = (text: string) => cutText(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').toWellFormed(), 150).trim()
