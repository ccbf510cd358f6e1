import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissionFlags } from '#contract/allow.ts'
import { projectRoot } from '#core/settings/settings.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { customSourcesContract } from '#domains/leads/custom-sources/contract.ts'
import { type App, startApp } from '#test/app.ts'

/** The examples of docs/integrations.md, as a reader would paste them. */
const page = readFileSync(join(projectRoot, 'docs/integrations.md'), 'utf8')
const examples = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, example = '']) => example)

let app: App
let variables: Record<string, string>
beforeAll(async () => {
  app = await startApp({ settings: { ALLOWED_PRIVATE_RANGES: '127.0.0.1' } })
  const campaign = await app.make.campaign()
  const lead = await app.make.lead({ campaign_id: campaign.id })
  const maker = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const pages = Object.fromEntries(permissionFlags.map((flag) => [flag, 1]))
  const key = { name: 'The docs', pages, access: 'write', expires_at }
  const site = await app.make.clientSite({ campaign_id: campaign.id })
  const source = await maker.call(customSourcesContract.create, {
    body: { name: 'The docs', clientsite_id: site.id, preset: null },
  })
  variables = {
    SITE: String(site.id),
    SOURCE: String(source.body.id),
    SOURCE_KEY: source.body.key,
    LEADLINE: app.url,
    KEY: (await maker.call(apiKeysContract.create, { body: key })).body.key,
    LEAD: String(lead.id),
  }
})
afterAll(() => app.close())

test.each(examples.map((example) => [example]))(
  'works as it stands: %s [OPEN-01, OPEN-02, OPEN-03]',
  async (example) => {
    const env = { PATH: process.env.PATH, ...variables }
    const { stdout } = await promisify(execFile)('bash', ['-c', example], { env })
    expect(JSON.parse(stdout)).toBeTruthy()
  },
)
