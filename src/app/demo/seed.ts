import { sql } from 'drizzle-orm'
import { addDays, getToday, msPerDay } from '#contract/days.ts'
import type { Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { conflictError } from '#core/http/errors.ts'
import { hashPassword } from '#core/secrets/passwords.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { userCampaignsTable, usersTable } from '#domains/access/schema.ts'
import { teamsTable } from '#domains/access/teams/schema.ts'
import { toolLinksTable } from '#domains/access/tool-links/schema.ts'
import { filesTable } from '#domains/activity/files/schema.ts'
import { activityItemFilesTable, activityItemsTable } from '#domains/activity/schema.ts'
import type { AppContext } from '#domains/app-context.ts'
import { disputesTable } from '#domains/billing/disputes/schema.ts'
import { toStatementId } from '#domains/billing/statements/contract.ts'
import { statementLinesTable, statementsTable } from '#domains/billing/statements/schema.ts'
import { readCampaignCycles, readLedgers } from '#domains/billing/statements/server/read-ledgers.ts'
import { createStatementKey } from '#domains/billing/statements/server/statement-keys.ts'
import { numberSentStatements } from '#domains/billing/statements/server/statement-numbers.ts'
import { campaignAreasTable } from '#domains/campaigns/area/schema.ts'
import { campaignCategoriesTable } from '#domains/campaigns/categories/schema.ts'
import { campaignCategoryLinksTable, campaignsTable } from '#domains/campaigns/schema.ts'
import { campaignTermsTable } from '#domains/campaigns/terms/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { setupStepKeys } from '#domains/dashboard/labels.ts'
import { putOffStepsTable } from '#domains/dashboard/schema.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { recountDuplicates } from '#domains/leads/model/duplicates.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { keywordsTable, spammersTable } from '#domains/leads/spam/schema.ts'
import { clientSitesTable, hookKeyAad } from '#domains/sites/client/schema.ts'
import { attachPictures, createActivityItems, drawPictures } from './activity.ts'
import { createDemoAgency, createTerms, type DemoAgency, type DemoCampaign } from './agency.ts'
import { createLeadMoments } from './calendar.ts'
import { createDemoLeads, type DemoSpammer } from './incoming-leads.ts'
import { insertRows } from './insert-rows.ts'
import { seedGmbs, staffTeams } from './listings.ts'
import { leaveOutHoliday, silenceSources } from './monday.ts'
import { seedNetwork } from './network.ts'
import { createPerson, demoPlaces } from './people.ts'
import { SeededRandom } from './random.ts'
import { blacklistedKeywords } from './sample-text.ts'
import { createDemoUsers } from './staff.ts'
import { assignStories, dropLostLeads, setReachableTarget } from './stories.ts'
import { createCampaignAreas } from './town-map.ts'
import { createDisputes, simulateLeadHandling } from './verdicts.ts'

/** The password of every account in the demo. */
export const demoPassword = 'leadline-demo'
const historyDays = 730
const agencySeed = 20_240_229

/**
 * Fills an empty database with a sample agency: about sixty campaigns and `count` leads over the two years before
 * `now`. The same day produces the same agency. Throws if there is an agency already.
 */
export async function seedAgency({ db, secrets, store, settings }: AppContext, count = 30_000, now = new Date()) {
  const password_hash = await hashPassword(demoPassword)
  const scribe = new SeededRandom(agencySeed + 1)
  const pictures = await drawPictures(scribe)
  for (const { key, data } of pictures) await store.put(key, data)
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table users, clients, campaigns in exclusive mode`)
    const lastId = await findLastUserId(tx)
    const dice = new SeededRandom(agencySeed)
    const agency = createDemoAgency(dice, now)
    assignStories(agency, now)
    const { people, ticked, teams } = createDemoUsers(dice, agency, password_hash, lastId)
    const nuisances = createSpammers(dice, now)
    const planned = createLeadMoments(dice, agency.contracts, now, historyDays, count)
    const moments = dropLostLeads(dice, leaveOutHoliday(planned, now, settings.AGENCY_TIMEZONE))
    setReachableTarget(agency, moments)
    const came = createDemoLeads(dice, moments, nuisances)
    const { heard: found, monday } = silenceSources(agency, came, now)
    const { auditRows, mail } = simulateLeadHandling(dice, agency, found, teams, now)
    const disputes = createDisputes(found, auditRows, teams, now)
    const sites = agency.contracts.flatMap((contract) => contract.sites)
    for (const site of sites) site.hook_key = secrets.seal(dice.text(32), hookKeyAad(site.id))

    await insertRows(
      tx,
      clientsTable,
      agency.clients.map(({ row }) => row),
    )
    await insertRows(tx, campaignCategoriesTable, agency.categories)
    await insertRows(
      tx,
      campaignsTable,
      agency.contracts.map(({ row }) => row),
    )
    await insertRows(tx, campaignTermsTable, createTerms(agency.contracts))
    await insertRows(tx, campaignCategoryLinksTable, agency.contracts.flatMap(createCategoryLinks))
    await insertRows(tx, clientSitesTable, sites)
    await seedNetwork(tx, new SeededRandom(agencySeed + 1), agency, now)
    await insertRows(tx, campaignAreasTable, await createCampaignAreas(agency, agencySeed))
    await seedGmbs(tx, secrets, dice, agency.contracts, now)
    await insertRows(tx, teamsTable, staffTeams)
    await insertRows(tx, usersTable, people)
    await insertRows(tx, userCampaignsTable, ticked)
    await insertRows(
      tx,
      toolLinksTable,
      demoToolLinks.map(([label, url], position) => ({ label, url, position })),
    )
    await tx.insert(putOffStepsTable).values(setupStepKeys.map((key) => ({ key })))
    await insertRows(tx, spammersTable, nuisances.map(toSpammerRow))
    await tx.insert(keywordsTable).values(blacklistedKeywords.map((keyword, position) => ({ keyword, position })))
    await insertRows(tx, leadsTable, found)
    await recountDuplicates(tx)
    await insertRows(tx, mailsTable, mail)
    await insertRows(tx, auditTable, auditRows)
    await insertRows(tx, disputesTable, disputes)
    await sendEndedStatements(tx, { settings, secrets }, agency, now, people[0]!.id)
    const items = createActivityItems(scribe, agency.contracts, staffTeams.length, people, now)
    const hung = attachPictures(scribe, pictures, items, now)
    await insertRows(tx, activityItemsTable, items)
    await insertRows(tx, filesTable, hung.rows)
    await insertRows(tx, activityItemFilesTable, hung.links)
    return { leads: found.length, campaigns: agency.contracts.length, clients: agency.clients.length, monday }
  })
}

async function findLastUserId(tx: Tx): Promise<number> {
  const found = await tx.execute<{ in_use: boolean; last: number }>(sql`
    select exists (select id from clients) or exists (select id from campaigns) or exists (select id from leads) as in_use,
      (select coalesce(max(id), 0) from users) as last`)
  if (found.rows[0]?.in_use !== false)
    throw conflictError('There is an agency in this database already; seed an empty one')
  return found.rows[0].last
}

type Seeded = Pick<AppContext, 'settings' | 'secrets'>

const createSpammers = (dice: SeededRandom, now: Date): DemoSpammer[] =>
  Array.from({ length: 14 }, () => ({
    someone: createPerson(dice, dice.pick(demoPlaces)),
    since: new Date(now.getTime() - dice.int(0, historyDays) * msPerDay),
  }))

const toSpammerRow = ({ someone: { name, phone, email }, since }: DemoSpammer) => ({
  name,
  phone,
  phone_key: phone,
  email,
  created_at: since,
})

/** Returns the client's trade, and for every sixth campaign a related second one. */
function createCategoryLinks({ row, client }: DemoCampaign) {
  const own = (client.row.id - 1) % 8
  const second = row.id % 6 === 0 ? [(own + 3) % 8] : []
  return [own, ...second].map((category) => ({ campaign_id: row.id, category_id: category + 1 }))
}

const demoToolLinks = [
  ['CallRail', 'https://app.callrail.com/'],
  ['Google Ads', 'https://ads.google.com/'],
  ['Search Console', 'https://search.google.com/search-console'],
  ['Analytics', 'https://analytics.google.com/'],
] as const

/** The office sends statements this many days after their cycle has ended, and clients pay within three weeks. */
const officeDays = 4
const payDays = 21
/** Of sent statements, the latest have a link. */
const linkDays = 45

/** Sends the statements that an agency would have sent by now, each on its day. */
async function sendEndedStatements(
  tx: Tx,
  { settings, secrets }: Seeded,
  agency: DemoAgency,
  now: Date,
  sent_by: number,
) {
  const zone = settings.AGENCY_TIMEZONE
  const today = getToday(zone, now)
  const lastDay = addDays(today, -officeDays)
  const found = await readCampaignCycles(tx, await tx.select().from(campaignsTable), zone)
  const ended = found.map((one) => ({
    ...one,
    wanted: new Set(one.cycles.filter(({ to }) => to <= lastDay).map(({ from }) => from)),
  }))
  const clients = new Map(agency.clients.map(({ row }) => [row.id, row.name]))
  const owners = new Map(agency.contracts.map(({ row }) => [row.id, row]))
  const statements = await readLedgers(tx, ended, zone)
  await insertRows(
    tx,
    statementsTable,
    statements.map(({ campaign, from, to, terms }) => {
      const sentOn = addDays(to, officeDays)
      const paidOn = addDays(sentOn, campaign.id % payDays)
      const { name, client_id } = owners.get(campaign.id)!
      return {
        ...{ campaign_id: campaign.id, from_day: from, to_day: to, terms, sent_by },
        sent_at: startOfZonedDay(sentOn, zone),
        ...{ client_id, client_name: clients.get(client_id)!, campaign_name: name, agency_name: settings.AGENCY_NAME },
        due_on: addDays(sentOn, 30),
        opened_at: campaign.id % 4 === 0 && paidOn >= today ? null : startOfZonedDay(addDays(sentOn, 1), zone),
        paid_on: paidOn < today ? paidOn : null,
      }
    }),
  )
  await insertRows(
    tx,
    statementLinesTable,
    statements.flatMap(({ campaign, from, lines }) =>
      lines.map(({ kind, lead_id, cents, standing, because, refers_to }, position) => ({
        ...{ campaign_id: campaign.id, from_day: from, position, kind, lead_id, cents, standing, because, refers_to },
      })),
    ),
  )
  await numberSentStatements(tx, zone)
  for (const { campaign, from, to } of statements)
    if (to >= addDays(today, -linkDays)) await createStatementKey(tx, secrets, toStatementId(campaign.id, from))
}
