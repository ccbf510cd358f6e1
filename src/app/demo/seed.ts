import { sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import type { Tx } from '#core/db/db.ts'
import { audit } from '#core/db/schema.ts'
import { conflict } from '#core/http/errors.ts'
import { hashPassword } from '#core/secrets/passwords.ts'
import { userCampaigns, users } from '#domains/access/schema.ts'
import { teams as teamsTable } from '#domains/access/teams/schema.ts'
import { files } from '#domains/activity/files/schema.ts'
import { activityItemFiles, activityItems } from '#domains/activity/schema.ts'
import { campaignAreas } from '#domains/campaigns/area/schema.ts'
import { campaignCategories } from '#domains/campaigns/categories/schema.ts'
import { campaignCategoryLinks, campaigns } from '#domains/campaigns/schema.ts'
import { clients } from '#domains/clients/schema.ts'
import { toolLinks } from '#domains/dashboard/schema.ts'
import { mails } from '#domains/leads/mail/schema.ts'
import { recountShared } from '#domains/leads/model/duplicates.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { blacklist, spammers } from '#domains/leads/spam/schema.ts'
import { clientSites, hookKeyPlace } from '#domains/sites/client/schema.ts'
import { activity, drawPictures, hangPictures } from './activity.ts'
import { type Contract, foundAgency } from './agency.ts'
import { moments } from './calendar.ts'
import { incoming, type Spammer } from './incoming-leads.ts'
import { write } from './insert-rows.ts'
import { putOnTheMap, staffTeams } from './listings.ts'
import { writeNetwork } from './network.ts'
import { places, someone } from './people.ts'
import { Dice } from './random.ts'
import { blacklisted } from './sample-text.ts'
import { hire } from './staff.ts'
import { stakeOut } from './town-map.ts'
import { lookAfter } from './verdicts.ts'

/** What every account of a filled agency signs in with. */
export const demoPassword = 'leadline-demo'
const days = 730

/**
 * Fills an empty database with a believable agency: about sixty campaigns and `count` leads over the two years before
 * `now`. The same seed and day give the same agency. Refuses where there is an agency already.
 */
export async function seedAgency({ db, secrets, store }: House, count = 30_000, now = new Date(), seed = 20_240_229) {
  const password_hash = await hashPassword(demoPassword)
  const scribe = new Dice(seed + 1)
  const pictures = await drawPictures(scribe)
  for (const { key, data } of pictures) await store.put(key, data)
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table users, clients, campaigns in exclusive mode`)
    const lastId = await lastUserOfEmptyDatabase(tx)
    const dice = new Dice(seed)
    const agency = foundAgency(dice, now)
    const { people, ticked, teams } = hire(dice, agency, password_hash, lastId)
    const nuisances = annoy(dice, now)
    const found = incoming(dice, moments(dice, agency.contracts, now, days, count), nuisances)
    const { trail, mail } = lookAfter(dice, agency, found, teams, now)
    const sites = agency.contracts.flatMap((contract) => contract.sites)
    for (const site of sites) site.hook_key = secrets.seal(dice.text(32), hookKeyPlace(site.id))

    await write(
      tx,
      clients,
      agency.clients.map(({ row }) => row),
    )
    await write(tx, campaignCategories, agency.categories)
    await write(
      tx,
      campaigns,
      agency.contracts.map(({ row }) => row),
    )
    await write(tx, campaignCategoryLinks, agency.contracts.flatMap(categoriesOf))
    await write(tx, clientSites, sites)
    await writeNetwork(tx, new Dice(seed + 1), agency, now)
    await write(tx, campaignAreas, await stakeOut(agency, seed))
    await putOnTheMap(tx, secrets, dice, agency.contracts, now)
    await write(tx, teamsTable, staffTeams)
    await write(tx, users, people)
    await write(tx, userCampaigns, ticked)
    await write(
      tx,
      toolLinks,
      tools.map(([label, url], position) => ({ label, url, position })),
    )
    await write(tx, spammers, nuisances.map(onTheList))
    await tx.update(blacklist).set({ keywords: blacklisted.join('\n') })
    await write(tx, leads, found)
    await recountShared(tx)
    await write(tx, mails, mail)
    await write(tx, audit, trail)
    const items = activity(scribe, agency.contracts, staffTeams.length, people, now)
    const hung = hangPictures(scribe, pictures, items, now)
    await write(tx, activityItems, items)
    await write(tx, files, hung.rows)
    await write(tx, activityItemFiles, hung.links)
    return { leads: found.length, campaigns: agency.contracts.length, clients: agency.clients.length }
  })
}

async function lastUserOfEmptyDatabase(tx: Tx): Promise<number> {
  const found = await tx.execute<{ in_use: boolean; last: number }>(sql`
    select exists (select from clients) or exists (select from campaigns) or exists (select from leads) as in_use,
      (select coalesce(max(id), 0) from users) as last`)
  if (found.rows[0]?.in_use !== false) throw conflict('There is an agency in this database already; seed an empty one')
  return found.rows[0].last
}

const annoy = (dice: Dice, now: Date): Spammer[] =>
  Array.from({ length: 14 }, () => ({
    someone: someone(dice, dice.pick(places)),
    since: new Date(now.getTime() - dice.int(0, days) * 86_400_000),
  }))

const onTheList = ({ someone: { name, phone, email }, since }: Spammer) => ({
  name,
  phone,
  phone_key: phone,
  email,
  created_at: since,
})

/** The client's trade, and for every sixth campaign a second one that goes with it. */
function categoriesOf({ row, client }: Contract) {
  const own = (client.row.id - 1) % 8
  const second = row.id % 6 === 0 ? [(own + 3) % 8] : []
  return [own, ...second].map((category) => ({ campaign_id: row.id, category_id: category + 1 }))
}

const tools = [
  ['CallRail', 'https://app.callrail.com/'],
  ['Google Ads', 'https://ads.google.com/'],
  ['Search Console', 'https://search.google.com/search-console'],
  ['Analytics', 'https://analytics.google.com/'],
] as const
