import { eq } from 'drizzle-orm'
import { type Flag, flags, handlerFlags } from '#contract/allow.ts'
import { hostOf } from '#contract/fields.ts'
import type { House } from '#core/app-context.ts'
import { hashPassword } from '#core/secrets/passwords.ts'
import { type Role, userCampaigns, users } from '#domains/access/schema.ts'
import { teams } from '#domains/access/teams/schema.ts'
import { activityItems } from '#domains/activity/schema.ts'
import { campaignCategories } from '#domains/campaigns/categories/schema.ts'
import { campaignCategoryLinks, campaigns } from '#domains/campaigns/schema.ts'
import { clients } from '#domains/clients/schema.ts'
import { noCampaign } from '#domains/leads/labels.ts'
import { refreshShared } from '#domains/leads/model/duplicates.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { gmbs } from '#domains/listings/gmbs/schema.ts'
import { networkCategories } from '#domains/sites/categories/schema.ts'
import { clientSites, hookKeyPlace, signingKeyPlace } from '#domains/sites/client/schema.ts'
import { outgoingLinks } from '#domains/sites/links/schema.ts'
import { networkSites } from '#domains/sites/network/schema.ts'

type New<T extends { $inferInsert: object }> = Partial<T['$inferInsert']>

export const password = 'correct horse'
const hashed = hashPassword(password)

/** Makes rows with believable defaults; whatever a row needs above it is made too. */
export function maker(house: House) {
  const { db, secrets } = house
  let count = 0
  const next = () => ++count

  const client = async (values: New<typeof clients> = {}) => {
    const [made] = await db
      .insert(clients)
      .values({ name: `Client ${next()}`, ...values })
      .returning()
    return made!
  }

  const category = async (values: New<typeof campaignCategories> = {}) => {
    const [made] = await db
      .insert(campaignCategories)
      .values({ name: `Category ${next()}`, ...values })
      .returning()
    return made!
  }

  const campaign = async ({ categories = [], ...values }: New<typeof campaigns> & { categories?: number[] } = {}) => {
    const client_id = values.client_id ?? (await client()).id
    const [made] = await db
      .insert(campaigns)
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
        .insert(campaignCategoryLinks)
        .values(categories.map((category_id) => ({ campaign_id: made!.id, category_id })))
    return made!
  }

  /** A client site; `key` and `signingKey` are what its hooks are signed with. */
  const clientSite = async ({
    key,
    signingKey,
    ...values
  }: New<typeof clientSites> & { key?: string; signingKey?: string } = {}) => {
    const campaign_id = values.campaign_id === undefined ? (await campaign()).id : values.campaign_id
    const [made] = await db
      .insert(clientSites)
      .values({ url: `https://site-${next()}.example`, ...values, campaign_id })
      .returning()
    const site = made!
    if (key)
      await db
        .update(clientSites)
        .set({ hook_key: secrets.seal(key, hookKeyPlace(site.id)) })
        .where(eq(clientSites.id, site.id))
    if (signingKey)
      await db
        .update(clientSites)
        .set({ callrail_signing_key: secrets.seal(signingKey, signingKeyPlace(site.id)) })
        .where(eq(clientSites.id, site.id))
    return site
  }

  /** Of a new campaign unless told otherwise; null makes one without a campaign. */
  const lead = async (values: Omit<New<typeof leads>, 'campaign_id'> & { campaign_id?: number | null } = {}) => {
    const asked = values.campaign_id === null ? noCampaign : values.campaign_id
    const campaign_id = asked ?? (await campaign()).id
    const number = next()
    const [made] = await db
      .insert(leads)
      .values({
        lead_s: values.lead_type === 'Call' ? 'Callrail' : 'Formidable',
        lead_id: `made-${number}`,
        lead_type: 'Form',
        lead_name: `Person ${number}`,
        occurred_at: new Date(),
        ...values,
        campaign_id,
      })
      .returning()
    if (made!.phone_key !== null || made!.email_key !== null) await db.transaction((tx) => refreshShared(tx, [made!]))
    return made!
  }

  const gmb = async (values: New<typeof gmbs> = {}) => {
    const campaign_id = values.campaign_id ?? (await campaign()).id
    const number = next()
    const [made] = await db
      .insert(gmbs)
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

  const team = async (values: New<typeof teams> = {}) => {
    const [made] = await db
      .insert(teams)
      .values({ name: `Team ${next()}`, ...values })
      .returning()
    return made!
  }

  /** An item of a campaign, or of a team. Who has an assignee is a task. */
  const activityItem = async (values: New<typeof activityItems> = {}) => {
    const campaign_id = values.team_id ? null : (values.campaign_id ?? (await campaign()).id)
    const user_id = values.user_id ?? (await user({ role: 'super_admin' })).id
    const [made] = await db
      .insert(activityItems)
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

  const networkCategory = async (values: New<typeof networkCategories> = {}) => {
    const [made] = await db
      .insert(networkCategories)
      .values({ name: `Network ${next()}`, ...values })
      .returning()
    return made!
  }

  const networkSite = async (values: New<typeof networkSites> = {}) => {
    const category_id = values.category_id ?? (await networkCategory()).id
    const [made] = await db
      .insert(networkSites)
      .values({ url: `https://network-${next()}.example`, ...values, category_id })
      .returning()
    return made!
  }

  const outgoingLink = async (values: New<typeof outgoingLinks> = {}) => {
    const network_site_id = values.network_site_id ?? (await networkSite()).id
    const url = values.url ?? `https://linked-${next()}.example/`
    const [made] = await db
      .insert(outgoingLinks)
      .values({
        host: hostOf(url),
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

  const user = async ({
    role,
    campaigns: ticked = [],
    ...values
  }: New<typeof users> & { role: Role; campaigns?: number[] }) => {
    const number = next()
    const [made] = await db
      .insert(users)
      .values({
        username: `${role}-${number}`,
        email: `${role}-${number}@example.com`,
        password_hash: await hashed,
        saw_tour: true, // it would lie over what a test looks at
        ...values,
        role,
      })
      .returning()
    if (ticked.length > 0)
      await db.insert(userCampaigns).values(ticked.map((campaign_id) => ({ user_id: made!.id, campaign_id })))
    return made!
  }

  type Person = New<typeof users> & { campaigns?: number[]; permissions?: Flag[] }
  return {
    client,
    category,
    campaign,
    clientSite,
    networkCategory,
    networkSite,
    outgoingLink,
    lead,
    gmb,
    team,
    activityItem,
    user,
    superAdmin: (values: Person = {}) => user({ ...values, role: 'super_admin' }),
    /** An admin with every page, unless told otherwise, and the campaigns given. */
    admin: (values: Person = {}) => user({ permissions: [...flags], ...values, role: 'admin' }),
    handler: (values: Person = {}) => user({ permissions: [...handlerFlags], ...values, role: 'leads_handler' }),
    customer: async (values: Person = {}) =>
      user({ ...values, role: 'customer', client_id: values.client_id ?? (await client()).id }),
  }
}
export type Maker = ReturnType<typeof maker>
