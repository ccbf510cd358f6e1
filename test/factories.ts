import { eq } from 'drizzle-orm'
import { handlerFlags, type PermissionFlag, permissionFlags } from '#contract/allow.ts'
import { parseHost } from '#contract/web-address.ts'
import { hashPassword } from '#core/secrets/passwords.ts'
import { type UserRole, userCampaignsTable, usersTable } from '#domains/access/schema.ts'
import { teamsTable } from '#domains/access/teams/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import type { AppContext } from '#domains/app-context.ts'
import { statementLinesTable, statementsTable } from '#domains/billing/statements/schema.ts'
import { campaignCategoriesTable } from '#domains/campaigns/categories/schema.ts'
import { campaignCategoryLinksTable, campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { refreshDuplicates } from '#domains/leads/model/duplicates.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { recordLeadChanges } from '#domains/leads/sums/server/lead-changes.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { networkCategoriesTable } from '#domains/sites/categories/schema.ts'
import { clientSitesTable, hookKeyAad, signingKeyAad } from '#domains/sites/client/schema.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'

type New<T extends { $inferInsert: object }> = Partial<T['$inferInsert']>

/** The setting of a person who chose to see every column of Leads; by default some are hidden. */
export const allLeadColumns = { hidden_columns: { 'leads.list': [] as string[] } }

export const password = 'correct horse'
const hashed = hashPassword(password)

/** Returns functions that insert rows with plausible defaults, and the parent rows that they need. */
export function createFactories(context: AppContext) {
  const { db, secrets } = context
  let count = 0
  const next = () => ++count

  const client = async (values: New<typeof clientsTable> = {}) => {
    const [made] = await db
      .insert(clientsTable)
      .values({ name: `Client ${next()}`, ...values })
      .returning()
    return made!
  }

  const category = async (values: New<typeof campaignCategoriesTable> = {}) => {
    const [made] = await db
      .insert(campaignCategoriesTable)
      .values({ name: `Category ${next()}`, ...values })
      .returning()
    return made!
  }

  const campaign = async ({
    categories = [],
    ...values
  }: New<typeof campaignsTable> & { categories?: number[] } = {}) => {
    const client_id = values.client_id ?? (await client()).id
    const [made] = await db
      .insert(campaignsTable)
      .values({
        name: `Campaign ${next()}`,
        manager: 'Morgan',
        start_date: '2025-01-15',
        initial_target: 20,
        ...values,
        client_id,
      })
      .returning()
    if (categories.length > 0)
      await db
        .insert(campaignCategoryLinksTable)
        .values(categories.map((category_id) => ({ campaign_id: made!.id, category_id })))
    return made!
  }

  /** Inserts a client site; `key` and `signingKey` sign its hooks. */
  const clientSite = async ({
    key,
    signingKey,
    ...values
  }: New<typeof clientSitesTable> & { key?: string; signingKey?: string } = {}) => {
    const campaign_id = values.campaign_id === undefined ? (await campaign()).id : values.campaign_id
    const [made] = await db
      .insert(clientSitesTable)
      .values({ url: `https://site-${next()}.example`, ...values, campaign_id })
      .returning()
    const site = made!
    if (key)
      await db
        .update(clientSitesTable)
        .set({ hook_key: secrets.seal(key, hookKeyAad(site.id)) })
        .where(eq(clientSitesTable.id, site.id))
    if (signingKey)
      await db
        .update(clientSitesTable)
        .set({ callrail_signing_key: secrets.seal(signingKey, signingKeyAad(site.id)) })
        .where(eq(clientSitesTable.id, site.id))
    return site
  }

  type NewLead = Omit<New<typeof leadsTable>, 'campaign_id'> & { campaign_id?: number | null }
  /** Inserts leads, each of a new campaign by default; null means no campaign. */
  const eachLead = async (list: NewLead[]) => {
    const rows = []
    for (const { campaign_id, ...values } of list) {
      const number = next()
      rows.push({
        lead_s: values.lead_type === 'Call' ? ('Callrail' as const) : ('Formidable' as const),
        lead_id: `made-${number}`,
        lead_type: 'Form' as const,
        lead_name: `Person ${number}`,
        occurred_at: new Date(),
        ...values,
        campaign_id: campaign_id === null ? noCampaignId : (campaign_id ?? (await campaign()).id),
      })
    }
    const made = await leads(rows)
    const keyed = made.filter(({ phone_key, email_key }) => phone_key !== null || email_key !== null)
    if (keyed.length > 0) await db.transaction((tx) => refreshDuplicates(tx, keyed))
    return made
  }
  const lead = async (values: NewLead = {}) => (await eachLead([values]))[0]!

  /** Inserts whole rows at once and records them for the sums, as the program does: on Citus no trigger does. */
  const leads = (rows: (typeof leadsTable.$inferInsert)[]) =>
    db.transaction((tx) =>
      recordLeadChanges(tx, async () => {
        const made = await tx.insert(leadsTable).values(rows).returning()
        return { writes: [{ before: [], after: made }], result: made }
      }),
    )

  const gmb = async (values: New<typeof gmbsTable> = {}) => {
    const campaign_id = values.campaign_id ?? (await campaign()).id
    const number = next()
    const [made] = await db
      .insert(gmbsTable)
      .values({
        title: `Listing ${number}`,
        link: `https://maps.google.com/maps?cid=${10 ** 16 + number}`,
        status: 1,
        ...values,
        campaign_id,
      })
      .returning()
    return made!
  }

  const team = async (values: New<typeof teamsTable> = {}) => {
    const [made] = await db
      .insert(teamsTable)
      .values({ name: `Team ${next()}`, ...values })
      .returning()
    return made!
  }

  /** Inserts an item of a campaign or a team. With an assignee it is a task. */
  const activityItem = async (values: New<typeof activityItemsTable> = {}) => {
    const campaign_id = values.team_id ? null : (values.campaign_id ?? (await campaign()).id)
    const user_id = values.user_id ?? (await user({ role: 'super_admin' })).id
    const [made] = await db
      .insert(activityItemsTable)
      .values({
        date: new Date().toISOString().slice(0, 10),
        note: `Note ${next()}`,
        is_task: Boolean(values.assignee_id),
        ...values,
        campaign_id,
        user_id,
      })
      .returning()
    return made!
  }

  const networkCategory = async (values: New<typeof networkCategoriesTable> = {}) => {
    const [made] = await db
      .insert(networkCategoriesTable)
      .values({ name: `Network ${next()}`, ...values })
      .returning()
    return made!
  }

  const networkSite = async (values: New<typeof networkSitesTable> = {}) => {
    const category_id = values.category_id ?? (await networkCategory()).id
    const [made] = await db
      .insert(networkSitesTable)
      .values({ url: `https://network-${next()}.example`, ...values, category_id })
      .returning()
    return made!
  }

  const outgoingLink = async (values: New<typeof outgoingLinksTable> = {}) => {
    const network_site_id = values.network_site_id ?? (await networkSite()).id
    const url = values.url ?? `https://linked-${next()}.example/`
    const [made] = await db
      .insert(outgoingLinksTable)
      .values({
        host: parseHost(url),
        page: '/',
        key: `made-${next()}`,
        type: 'text/html',
        ...values,
        url,
        network_site_id,
      })
      .returning()
    return made!
  }

  /** Puts a lead on a sent statement of its campaign. */
  const bill = async ({ id, campaign_id }: { id: number; campaign_id: number }) => {
    const day = '2026-01-05'
    const terms = [] as never // no one computes it
    const sent_by = (await user({ role: 'super_admin' })).id
    await db.insert(statementsTable).values({ campaign_id, from_day: day, to_day: day, terms, sent_by })
    const line = { kind: 'lead' as const, cents: 1000, because: 'Verified', standing: 'billed' as const }
    await db.insert(statementLinesTable).values({ ...line, campaign_id, from_day: day, position: 1, lead_id: id })
  }

  const user = async ({
    role,
    campaigns: ticked = [],
    ...values
  }: New<typeof usersTable> & { role: UserRole; campaigns?: number[] }) => {
    const number = next()
    const [made] = await db
      .insert(usersTable)
      .values({
        username: `${role}-${number}`,
        email: `${role}-${number}@example.com`,
        password_hash: await hashed,
        saw_tour: true, // the tour would cover the screen
        ...values,
        role,
      })
      .returning()
    if (ticked.length > 0)
      await db.insert(userCampaignsTable).values(ticked.map((campaign_id) => ({ user_id: made!.id, campaign_id })))
    return made!
  }

  type Person = New<typeof usersTable> & { campaigns?: number[]; permissions?: PermissionFlag[] }
  return {
    client,
    category,
    campaign,
    clientSite,
    networkCategory,
    networkSite,
    outgoingLink,
    lead,
    eachLead,
    leads,
    bill,
    gmb,
    team,
    activityItem,
    user,
    superAdmin: (values: Person = {}) => user({ ...values, role: 'super_admin' }),
    /** Inserts an admin, with every page by default. */
    admin: (values: Person = {}) => user({ permissions: [...permissionFlags], ...values, role: 'admin' }),
    handler: (values: Person = {}) => user({ permissions: [...handlerFlags], ...values, role: 'leads_handler' }),
    customer: async (values: Person = {}) =>
      user({ ...values, role: 'customer', client_id: values.client_id ?? (await client()).id }),
  }
}
export type Factories = ReturnType<typeof createFactories>
