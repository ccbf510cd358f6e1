import { and, desc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { endOfMonth, getToday, startOfMonth } from '#contract/days.ts'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { sessionsTable, usersTable } from '#domains/access/schema.ts'
import { currentTargetSql, roundTarget } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { isInvitedSql, readClient } from '#domains/clients/public.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { countLeadsByCampaign, notHiddenCondition, unratedLeadCondition } from '#domains/leads/public.ts'
import type { ClientRecord } from '../client-contract.ts'
import { maxRecordRows } from '../contract.ts'

/** Reads the client for its page. Throws 404 for a client that this user may not see. */
export async function readClientRecord(
  db: DbOrTx,
  me: CurrentUser,
  clientId: number,
  zone: string,
): Promise<BeforeJson<ClientRecord>> {
  const client = await readClient(db, me, clientId)
  const ids = client.campaigns.map(({ id }) => id)
  const month = { from: startOfMonth(getToday(zone)), to: getToday(zone) }
  const [leads, terms, unrated, mails, invited, logins] = await Promise.all([
    countLeadsByCampaign(db, clientsView(me), ids, { buckets: [month], zone }),
    readTerms(db, ids, zone),
    countUnrated(db, me, ids, zone),
    readMails(db, clientId, ids),
    client.user ? isInvited(db, client.user.id) : false,
    // An account shared with campaigns that the reader may not see stays hidden, and to keys all sessions.
    client.user && client.may_change && !me.key ? readLogins(db, client.user.id) : [],
  ])
  return {
    ...client,
    campaigns: client.campaigns
      .map((campaign) => {
        const { target, start_date, ...contract } = terms.get(campaign.id)!
        const isAhead = start_date !== null && start_date > endOfMonth(month.from)
        return {
          ...campaign,
          verified: leads.get(campaign.id)?.[0]?.confirmed ?? 0,
          // As in the report: an archived campaign is left out, unless it has leads, and one that begins later has no target yet.
          target: isAhead || (campaign.archived && !leads.has(campaign.id)) ? 0 : roundTarget(target),
          contract: me.permissions.campaigns ? contract : null,
        }
      })
      .toSorted((a, b) => a.archived - b.archived),
    unrated,
    mails,
    invited: invited ? 1 : 0,
    logins,
  }
}

/** Counts as the client sees its leads: without hidden ones. */
const clientsView = (me: CurrentUser): CurrentUser => ({ ...me, isAdmin: false })

async function readTerms(db: DbOrTx, campaignIds: number[], zone: string) {
  const rows = await db
    .select({
      id: campaignsTable.id,
      manager: campaignsTable.manager,
      service_fee: campaignsTable.service_fee,
      start_date: campaignsTable.start_date,
      target: currentTargetSql(zone),
    })
    .from(campaignsTable)
    .where(inArray(campaignsTable.id, campaignIds))
  return new Map(rows.map(({ id, ...terms }) => [id, terms]))
}

const countUnrated = (db: DbOrTx, me: CurrentUser, campaignIds: number[], zone: string) =>
  db.$count(
    leadsTable,
    sql`${leadsTable.campaign_id} = any(${sql.param(campaignIds)}::int[]) and not ${leadsTable.archived}
      and ${notHiddenCondition(clientsView(me))} and ${unratedLeadCondition(zone)}`,
  )

/**
 * Reads only as many rows per campaign as are shown: by the campaign's index, past what another client got. A lead takes its mails along, and
 * a campaign keeps them: those are not this client's.
 */
async function readMails(
  db: DbOrTx,
  clientId: number,
  campaignIds: number[],
): Promise<BeforeJson<ClientRecord['mails']>> {
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
        .where(
          and(
            eq(mailsTable.campaign_id, campaignId),
            or(eq(mailsTable.client_id, clientId), isNull(mailsTable.client_id)),
          ),
        )
        .orderBy(desc(mailsTable.id))
        .limit(maxRecordRows),
    ),
  )
  return found
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, maxRecordRows)
}

async function isInvited(db: DbOrTx, userId: number): Promise<boolean> {
  const [account] = await db.select({ invited: isInvitedSql }).from(usersTable).where(eq(usersTable.id, userId))
  return account!.invited
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
