import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { sessionsTable } from '#domains/access/schema.ts'
import { readClient } from '#domains/clients/public.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type ClientRecord, maxRecordRows, recordDays } from '../contract.ts'

/** Reads the client for its page. Throws 404 for a client that this user may not see. */
export async function readClientRecord(
  db: DbOrTx,
  me: CurrentUser,
  clientId: number,
): Promise<BeforeJson<ClientRecord>> {
  const client = await readClient(db, me, clientId)
  const ids = client.campaigns.map(({ id }) => id)
  const [leads, mails, logins] = await Promise.all([
    countLeads(db, ids),
    readMails(db, ids),
    // An account shared with campaigns that the reader may not see stays hidden.
    client.user && client.may_change ? readLogins(db, client.user.id) : [],
  ])
  const none = { leads: 0, verified: 0, last_at: null }
  return {
    id: client.id,
    name: client.name,
    timezone: client.timezone,
    emails: client.emails.split('\n').filter((email) => email !== ''),
    disable_notifications: client.disable_notifications,
    account: client.user && {
      id: client.user.id,
      username: client.user.username,
      email: client.user.email,
      is_active: client.user.is_active,
    },
    campaigns: client.campaigns.map((campaign) => ({ ...campaign, ...(leads.get(campaign.id) ?? none) })),
    mails,
    logins,
  }
}

type LeadCounts = { leads: number; verified: number; last_at: string }

async function countLeads(db: DbOrTx, campaignIds: number[]): Promise<Map<number, LeadCounts>> {
  const { rows } = await db.execute<LeadCounts & { campaign_id: number }>(sql`
    select campaign_id, count(*)::int as leads, count(*) filter (where confirmed)::int as verified,
      to_char(max(occurred_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last_at
    from ${leadsTable} where campaign_id = any(${sql.param(campaignIds)}::int[]) and not archived and not hide
      and occurred_at >= now() - make_interval(days => ${recordDays}) and occurred_at <= now()
    group by campaign_id`)
  return new Map(rows.map(({ campaign_id, ...counts }) => [campaign_id, counts]))
}

/** Reads only as many rows per campaign as are shown, so that the campaign's index suffices. */
async function readMails(db: DbOrTx, campaignIds: number[]): Promise<BeforeJson<ClientRecord['mails']>> {
  const found = await Promise.all(
    campaignIds.map((campaignId) =>
      db
        .select({
          id: mailsTable.id,
          lead_id: mailsTable.lead_id,
          kind: mailsTable.kind,
          state: mailsTable.state,
          recipients: mailsTable.recipients,
          error: mailsTable.error,
          created_at: mailsTable.created_at,
        })
        .from(mailsTable)
        .where(eq(mailsTable.campaign_id, campaignId))
        .orderBy(desc(mailsTable.id))
        .limit(maxRecordRows),
    ),
  )
  return found
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, maxRecordRows)
}

function readLogins(db: DbOrTx, userId: number): Promise<BeforeJson<ClientRecord['logins']>> {
  return (
    db
      .select({
        id: sessionsTable.id,
        created_at: sessionsTable.created_at,
        last_used_at: sessionsTable.last_used_at,
        address: sessionsTable.address,
        user_agent: sessionsTable.user_agent,
      })
      .from(sessionsTable)
      // Staff who view the client's account did not sign in as the client.
      .where(
        and(
          eq(sessionsTable.user_id, userId),
          sql`${sessionsTable.viewer_id} is null`,
          gt(sessionsTable.expires_at, sql`now()`),
        ),
      )
      .orderBy(desc(sessionsTable.last_used_at), desc(sessionsTable.id))
      .limit(maxRecordRows)
  )
}
