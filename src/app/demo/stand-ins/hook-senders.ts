import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { getErrorMessage } from '#contract/error-message.ts'
import type { AppContext } from '#domains/app-context.ts'
import { trafficSources } from '#domains/leads/labels.ts'
import { hookKeyAad, signingKeyAad } from '#domains/sites/client/schema.ts'
import type { DemoMonday } from '../monday.ts'
import { createPerson, type DemoPerson, demoPlaces } from '../people.ts'
import type { SeededRandom } from '../random.ts'
import { composeFormMessage, pickSpamOffer } from '../sample-text.ts'
import { demoTrades } from '../trades.ts'
import { createCallEvent } from './call-event.ts'

/** Send webhooks like the real services, over HTTP and signed, so that the demo's leads arrive the way all leads do. */

type LiveSite = {
  id: number
  url: string
  company: string
  campaign: string
  category: string
  signing_key: Buffer | null
  hook_key: Buffer
}
/** The context (for sites and keys), the server's address, and the silent sources. */
type HookTarget = { context: AppContext; hooks: string; silent?: DemoMonday['silent'] }
/** Prints a line on the terminal. */
type PrintStatus = (line: string) => void

/** Sends a call or a form every 20 to 60 seconds, the first ones at once, until aborted. */
export async function sendDemoLeads(
  { context, hooks, silent = [] }: HookTarget,
  dice: SeededRandom,
  tell: PrintStatus,
  ending: AbortSignal,
): Promise<void> {
  const callers: DemoPerson[] = []
  for (let sent = 0; !ending.aborted; sent += 1) {
    try {
      await pause(sent < 3 ? 4000 : dice.int(20_000, 60_000), undefined, { signal: ending })
      const site = dice.pick(await readLiveSites(context))
      const again = callers.length > 5 && dice.chance(0.15) ? dice.pick(callers) : null
      const person =
        again ??
        createPerson(dice, demoPlaces.find(({ city }) => site.campaign.endsWith(city)) ?? dice.pick(demoPlaces))
      if (!again) callers.push(person)
      const [provider, send] = dice.chance(0.6)
        ? (['callrail', sendCall] as const)
        : (['formidable', sendForm] as const)
      if (silent.some((one) => one.site === site.id && one.provider === provider)) continue
      const status = await send({ context, hooks }, dice, site, person)
      if (status !== 200) tell(`${site.campaign}: the webhook got ${status}`)
    } catch (error) {
      if (!ending.aborted) tell(`the sender waits: ${getErrorMessage(error)}`)
    }
  }
}

/** Returns the sites that leads can come from, with their campaign and its trade. */
export async function readLiveSites({ db }: AppContext): Promise<LiveSite[]> {
  const { rows } = await db.execute<LiveSite>(sql`
    select distinct on (client_sites.id) client_sites.id, url, callrail_campaign_identifier as company,
      campaigns.name as campaign, campaign_categories.name as category, callrail_signing_key as signing_key, hook_key
    from client_sites join campaigns on campaigns.id = campaign_id
      join campaign_category_links links on links.campaign_id = campaigns.id
      join campaign_categories on campaign_categories.id = links.category_id
    where deleted_at is null and not archived and client_sites.status = 1 and hook_key is not null and callrail_campaign_identifier is not null
    order by client_sites.id, category_id`)
  if (rows.length === 0) throw new Error('no client site is left to send from')
  return rows
}

/** Posts a finished call like CallRail: the body, signed with the company's key. */
export async function sendCall(
  { context, hooks }: HookTarget,
  dice: SeededRandom,
  site: LiveSite,
  caller: DemoPerson,
): Promise<number> {
  const { secrets, settings } = context
  const outcome = dice.weighted({ answered: 62, voicemail: 14, abandoned: 8, missed: 16 })
  const seconds = outcome === 'abandoned' ? dice.int(3, 13) : dice.int(20, outcome === 'answered' ? 400 : 70)
  const body = createCallEvent({
    id: `CAL${dice.text(32)}`,
    company: site.company,
    startedAt: new Date(Date.now() - (seconds + 20) * 1000),
    caller,
    outcome,
    seconds,
    trackingPhone: `+1${caller.phone.slice(2, 5)}555${String(site.id).padStart(4, '0')}`,
    source: dice.pick(trafficSources),
    keywords: dice.chance(0.4) ? dice.pick(findTrade(site).searches) : '',
    page: `${site.url}/`,
  })
  const key = site.signing_key ? secrets.open(site.signing_key, signingKeyAad(site.id)) : settings.CALLRAIL_SIGNING_KEY
  const signature = createHmac('sha1', key ?? '')
    .update(body)
    .digest('base64')
  return postBody(`${hooks}/api/hooks/callrail`, body, { signature, 'user-agent': 'CallRail' })
}

/** Posts a submitted form like Formidable's "Send API data": flat JSON, with the site's key as the user name. */
export async function sendForm(
  { context, hooks }: HookTarget,
  dice: SeededRandom,
  site: LiveSite,
  person: DemoPerson,
): Promise<number> {
  const { name, email, phone } = person
  const message = dice.chance(0.04) ? pickSpamOffer(dice) : composeFormMessage(dice, findTrade(site))
  const source = dice.pick(['google', 'facebook', ''])
  const body = JSON.stringify({
    item_id: String(Math.floor(Date.now() / 100)),
    form_id: '3',
    name,
    email,
    phone,
    message,
    page_url: `${site.url}/contact`,
    referrer: source === '' ? '' : `https://www.${source}.com/`,
    utm_source: source,
  })
  const key = context.secrets.open(site.hook_key, hookKeyAad(site.id))
  const authorization = `Basic ${Buffer.from(`${key}:x`).toString('base64')}`
  return postBody(`${hooks}/api/hooks/formidable/${site.id}`, body, {
    authorization,
    'user-agent': 'WordPress/6.8',
  })
}

const findTrade = ({ category }: LiveSite) => demoTrades.find(({ name }) => name === category) ?? demoTrades[0]!

async function postBody(url: string, body: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  await answer.arrayBuffer()
  return answer.status
}
