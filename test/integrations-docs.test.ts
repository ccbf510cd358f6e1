import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { permissionFlags } from '#contract/allow.ts'
import { projectRoot } from '#core/settings/settings.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { customSourcesContract } from '#domains/leads/custom-sources/contract.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'

/** The examples of docs/integrations.md, as a reader would paste them. */
const page = readFileSync(join(projectRoot, 'docs/integrations.md'), 'utf8')
const examples = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, example = '']) => example)

const app = await setUp(startApp({ work: true, settings: { ALLOWED_PRIVATE_RANGES: '127.0.0.1' } }))
const campaign = await app.make.campaign()
const lead = await app.make.lead({ campaign_id: campaign.id })
const person = await app.make.admin({ campaigns: [campaign.id] })
const makerId = person.id
const maker = await app.as(person)
const expires_at = new Date(Date.now() + 3_600_000).toISOString()
const pages = Object.fromEntries(permissionFlags.map((flag) => [flag, 1]))
const key = { name: 'The docs', pages, access: 'write', expires_at }
const site = await app.make.clientSite({ campaign_id: campaign.id })
const source = await maker.call(customSourcesContract.create, {
  body: { name: 'The docs', clientsite_id: site.id, preset: null },
})
const variables = {
  SITE: String(site.id),
  SOURCE: String(source.body.id),
  SOURCE_KEY: source.body.key,
  LEADLINE: app.url,
  KEY: (await maker.call(apiKeysContract.create, { body: key })).body.key,
  LEAD: String(lead.id),
}

describe('the examples of the page, in its order', { shuffle: false }, () => {
  test.each(examples.map((example) => [example]))(
    'works as written: %s [OPEN-01, OPEN-02, OPEN-03]',
    async (example) => {
      const env = { PATH: process.env.PATH, ...variables }
      const { stdout } = await promisify(execFile)('bash', ['-c', example], { env })
      const [, path] = /"\$LEADLINE\/api(.*?)[?"]/.exec(example) ?? []
      const method = /--request (\w+)/.exec(example)?.[1] ?? (example.includes('--data') ? 'POST' : 'GET')
      const expected = answers()[`${method} ${path}`]
      expect(expected, 'no answer is expected of this call').toBeDefined()
      expect(JSON.parse(stdout)).toMatchObject(expected!)
      // Received events are processed before the next example continues from them.
      const stored = eq(inboundEventsTable.state, 'stored')
      await until(async () => (await app.context.db.$count(inboundEventsTable, stored)) === 0)
    },
  )
})

/** The response of each call on the page, in order: later examples continue from earlier ones. */
const answers = (): Record<string, object> => ({
  'GET /user/me': { id: makerId, username: expect.any(String) },
  'GET /leads/list/data': { meta: { total: 1 }, data: [{ id: Number(variables.LEAD) }] },
  'PUT /lead/$LEAD': { id: Number(variables.LEAD), client_progress: 1, client_value: 4200 },
  'POST /webhooks': {
    url: 'https://crm.example/leadline',
    events: ['lead.created', 'lead.verified'],
    active: true,
    secret: expect.stringMatching(/^whsec_/),
  },
  'POST /intakes': { name: 'Zapier', clientsite_id: Number(variables.SITE), preset: null, key: expect.any(String) },
  'POST /hooks/in/$SOURCE_KEY': { success: true },
  'PUT /intakes/$SOURCE': { mapping: { lead_name: { from: 'who.name' } } },
  'POST /intakes/$SOURCE/replay': { replayed: 1 },
})
