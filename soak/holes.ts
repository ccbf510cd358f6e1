import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc } from 'drizzle-orm'
import { generate } from 'otplib'
import { closeContext, createContext } from '#app/server/context.ts'
import { projectRoot } from '#core/settings/settings.ts'
import { signInFailuresTable } from '#domains/access/schema.ts'
import { updateAccount } from '#domains/access/server/accounts.ts'
import type { AppContext } from '#domains/app-context.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { computeCallRailSignature } from '#integrations/callrail/webhook.ts'
import { type SmtpSink, startSmtpSink } from '#integrations/fakes/smtp.ts'
import { createFactories, type Factories, password } from '#test/factories.ts'
import { postCall } from '#test/provider-hooks.ts'
import { startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'

/** An attempt, its result, and whether the defense held. */
export type Tried = { tried: string; found: string; held: boolean }
type Attack = { url: string; databaseUrl: string; context: AppContext; make: Factories; sink: SmtpSink }

/**
 * Attacks each hole that was once open, over HTTP against the built server: sign-ins with the old password, another
 * company's keys, twice ten guesses, readable backups, streams that outlive permissions, and unlimited streams.
 */
export async function tryHoles(databaseUrl: string, say: (line: string) => void): Promise<Tried[]> {
  const sink = await startSmtpSink()
  const settings = { DATABASE_URL: databaseUrl, SECRET_KEY: '5e'.repeat(32), SMTP_URL: sink.url, HOOK_JOURNAL_MB: '0' }
  const server = await startServer(settings)
  const context = await createContext(parseSettings({ ...settings, LOG_LEVEL: 'silent' }), databaseUrl)
  const attack = { url: server.url, databaseUrl, context, make: createFactories(context), sink }
  const all: Tried[] = []
  try {
    for (const attempt of [
      oldPasswords,
      foreignCompanies,
      twiceTenGuesses,
      lockedOwner,
      openBackups,
      oldStreams,
      manyStreams,
    ])
      for (const one of await attempt(attack)) {
        say(`${one.held ? 'held    ' : 'NOT HELD'} ${one.tried}: ${one.found}`)
        all.push(one)
        await context.db.delete(signInFailuresTable)
      }
    return all
  } finally {
    await closeContext(context)
    await stopServer(server)
    await sink.close()
  }
}

// ——— requests ———

type Answer = { status: number; body: Record<string, unknown>; cookie: string | null }

async function send(
  { url }: Pick<Attack, 'url'>,
  address: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const [method = 'GET', path = ''] = address.split(' ')
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text ? JSON.parse(text) : {}, cookie: answer.headers.get('set-cookie') }
}

const signIn = (attack: Attack, username: string, typed = password, headers = {}) =>
  send(attack, 'POST /user/login', { username, password: typed }, headers)
const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` })
async function opens(attack: Attack, { body }: Answer): Promise<boolean> {
  return (
    typeof body.token === 'string' && (await send(attack, 'GET /user/me', undefined, bearer(body.token))).status === 200
  )
}

// ——— 1: a sign-in with the old password, while it changes ———

const changed = { new_password: 'battery staple horse', new_password_confirmation: 'battery staple horse' }

async function oldPasswords(attack: Attack): Promise<Tried[]> {
  const own = await raceRounds(attack, 10, async (user) => {
    const token = (await signIn(attack, user.username)).body.token
    return () => send(attack, 'PUT /user', { old_password: password, ...changed }, bearer(token))
  })
  const reset = await raceRounds(attack, 8, async (user) => {
    const before = attack.sink.letters.length
    await send(attack, 'POST /user/forgot', { email: user.email })
    await until(() => attack.sink.letters.length > before, 60)
    const key = /reset\?key=([\w-]+)/.exec(attack.sink.letters.at(-1)!.email.text ?? '')?.[1]
    return () => send(attack, 'POST /user/reset', { key, ...changed })
  })
  return [
    { tried: 'a sign-in with the old password during 10 own changes', ...own },
    { tried: 'the same during 8 resets by a mailed link', ...reset },
    await waitingSignIns(attack),
  ]
}

/** A sign-in that has its first step behind it, and takes the second during a change of the password. */
async function waitingSignIns(attack: Attack): Promise<Tried> {
  let [survivors, finished, refused] = [0, 0, 0]
  for (let round = 0; round < 8; round += 1) {
    const user = await attack.make.admin()
    const own = bearer((await signIn(attack, user.username)).body.token)
    const { body: totp } = await send(attack, 'POST /user/totp', {}, own)
    const code = await generate({ secret: String(totp.secret) })
    const { recovery_codes = [] } = (await send(attack, 'PUT /user/totp', { code }, own)).body
    const steps: object[] = []
    for (const recovery_code of (recovery_codes as string[]).slice(0, 4)) {
      const { second_factor } = (await signIn(attack, user.username)).body
      steps.push({ challenge: (second_factor as { challenge: string }).challenge, recovery_code })
    }
    const changing = send(attack, 'PUT /user', { old_password: password, ...changed }, own)
    const answers: Answer[] = []
    for (const body of steps) answers.push(await send(attack, 'POST /user/login/second', body)) // in turn, to meet each step of the change
    if ((await changing).status >= 300) refused += 1
    for (const answer of answers) {
      if (answer.body.token) finished += 1
      if (await opens(attack, answer)) survivors += 1
    }
    await attack.context.db.delete(signInFailuresTable)
  }
  return {
    tried: 'the second step of 32 sign-ins during 8 own changes',
    found: `${finished} got a token, ${survivors} of them still open afterwards; ${refused} changes refused`,
    held: survivors === 0 && refused === 0,
  }
}

async function raceRounds(
  attack: Attack,
  rounds: number,
  prepare: (user: { username: string; email: string }) => Promise<() => Promise<Answer>>,
) {
  let [survivors, signIns, refused] = [0, 0, 0]
  for (let round = 0; round < rounds; round += 1) {
    const user = await attack.make.admin()
    const change = await prepare(user)
    const tries: Promise<Answer>[] = []
    const changing = change()
    // Sequential, so that some coincide with each step of the change.
    for (let index = 0; index < 4; index += 1) {
      tries.push(signIn(attack, user.username))
      await new Promise((resolve) => setImmediate(resolve))
    }
    if ((await changing).status >= 300) refused += 1
    for (const answer of await Promise.all(tries)) {
      if (answer.body.token) signIns += 1
      if (await opens(attack, answer)) survivors += 1
    }
    await attack.context.db.delete(signInFailuresTable)
  }
  const found = `${signIns} of ${rounds * 4} sign-ins got a token, ${survivors} of them still open afterwards; ${refused} changes refused`
  return { found, held: survivors === 0 && refused === 0 }
}

// ——— 2: one company's key and another company's lead ———

async function foreignCompanies(attack: Attack): Promise<Tried[]> {
  const { make } = attack
  const ours = await make.clientSite({
    callrail_campaign_identifier: 'COM-a',
    signingKey: 'key of a',
    key: 'form of a',
  })
  const theirs = await make.clientSite({
    callrail_campaign_identifier: 'COM-b',
    signingKey: 'key of b',
    key: 'form of b',
  })
  const call = postCall({ company_resource_id: 'COM-a', customer_name: 'Ann' })
  const evil = {
    company_resource_id: 'COM-b',
    customer_name: 'Mallory',
    answered: true,
    recording: 'https://evil.example',
  }
  const entry = { id: '4711', name: 'Ann', email: 'ann@example.com' }
  const hook = async (body: object, key: string) => {
    const text = JSON.stringify(body)
    const signature = computeCallRailSignature(key, Buffer.from(text))
    return (await send(attack, 'POST /hooks/callrail', text, { signature })).status
  }
  const form = async (site: number, key: string, body: object) =>
    (await send(attack, `POST /hooks/formidable/${site}`, body, { authorization: `Basic ${btoa(`${key}:x`)}` })).status
  const read = async () => {
    await until(async () => (await waiting(attack)) === 0, 60)
    const rows = await attack.context.db.select().from(leadsTable).orderBy(asc(leadsTable.id))
    return JSON.stringify(
      rows.filter((row) => row.clientsite_id === ours.id).map(({ phone_shared: _, email_shared: __, ...row }) => row),
    )
  }
  await hook(call, 'key of a')
  await form(ours.id, 'form of a', entry)
  const before = await read()
  const statuses = [
    await hook({ ...call, ...evil }, 'key of b'),
    await hook({ ...call, ...evil, changes: ['name'] }, 'key of b'),
    await hook({ ...call, customer_name: 'Mallory' }, 'key of b'),
    await form(ours.id, 'form of b', { ...entry, name: 'Mallory' }),
    await form(theirs.id, 'form of b', { ...entry, name: 'Mallory' }),
  ]
  const overwritten = (await read()) !== before
  const squatted = postCall({ company_resource_id: 'COM-a', customer_name: 'Ben' })
  await hook({ ...squatted, ...evil }, 'key of b')
  await read()
  await hook(squatted, 'key of a')
  const taken = !(await read()).includes('"Ben"')
  return [
    {
      tried: 'overwriting a call and a form with the keys of another company',
      found: `answered ${statuses.join(', ')}; the lead ${overwritten ? 'CHANGED' : 'is as it was'}`,
      held: !overwritten,
    },
    {
      tried: 'posting another company’s call before it does',
      found: taken ? 'the lead is TAKEN' : 'the owner still gets its lead',
      held: !taken,
    },
  ]
}

async function waiting({ context }: Attack): Promise<number> {
  const rows = await context.db.select({ state: inboundEventsTable.state }).from(inboundEventsTable)
  return rows.filter(({ state }) => state === 'stored').length
}

// ——— 3 and 7: guesses ———

async function twiceTenGuesses(attack: Attack): Promise<Tried[]> {
  const user = await attack.make.admin()
  const statuses: number[] = []
  for (const name of Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? user.username : user.email.toUpperCase(),
  ))
    statuses.push((await signIn(attack, name, 'wrong')).status)
  const guesses = statuses.filter((status) => status === 200).length
  return [
    {
      tried: '20 wrong passwords, by username and email in turns',
      found: `${guesses} were looked at`,
      held: guesses === 10,
    },
  ]
}

async function lockedOwner(attack: Attack): Promise<Tried[]> {
  const user = await attack.make.admin()
  const { cookie } = await signIn(attack, user.username)
  for (let index = 0; index < 11; index += 1) await signIn(attack, user.username, 'wrong')
  const stranger = await signIn(attack, user.username)
  const owner = await signIn(attack, user.username, password, { cookie: cookie?.split(';')[0] ?? '' })
  return [
    {
      tried: 'locking the owner out with 11 wrong tries',
      found: `another browser gets ${stranger.status}, the owner’s own ${owner.body.token ? 'signs in' : owner.status}`,
      held: stranger.status === 429 && typeof owner.body.token === 'string',
    },
  ]
}

// ——— 4: who may read a backup ———

async function openBackups({ databaseUrl }: Attack): Promise<Tried[]> {
  const parent = mkdtempSync(join(tmpdir(), 'leadline-open-'))
  const folder = join(parent, 'backup')
  const { stderr, status } = spawnSync(
    'sh',
    ['-c', `umask 000; chmod 755 ${parent}; exec ${process.execPath} bin/leadline.mjs backup ${folder}`],
    {
      cwd: projectRoot,
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: databaseUrl, SECRET_KEY: '5e'.repeat(32), LOG_LEVEL: 'silent' },
    },
  )
  const names = status === 0 ? ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })] : []
  const open = names.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)
  const warns = /may open/.test(stderr)
  rmSync(parent, { recursive: true })
  return [
    {
      tried: 'reading a backup made under umask 000 in a folder of mode 755',
      found: `exit ${status}; ${names.length} files and folders, ${open.length} open to others; ${warns ? 'it warns of the folder' : 'NO warning'}`,
      held: status === 0 && names.length > 10 && open.length === 0 && warns,
    },
  ]
}

// ——— 5 and 6: event streams ———

/** Opens a stream with a token; `isOpen` until the server ends it. */
async function openStream({ url }: Attack, token: unknown) {
  const leaving = new AbortController()
  const response = await fetch(`${url}/api/leads/events`, { headers: bearer(token), signal: leaving.signal })
  const stream = { status: response.status, isOpen: true, text: '', leave: () => leaving.abort() }
  const decoder = new TextDecoder()
  const reading = async () => {
    for await (const chunk of response.body!) stream.text += decoder.decode(chunk, { stream: true })
  }
  reading()
    .catch(() => {})
    .finally(() => {
      stream.isOpen = false
    })
  return stream
}

async function oldStreams(attack: Attack): Promise<Tried[]> {
  const { context, make } = attack
  const root = (await signIn(attack, (await make.superAdmin()).username)).body.token
  const seconds: Record<string, number> = {}
  const ends: Record<string, (user: { id: number }, token: unknown) => Promise<unknown>> = {
    'signing out': (_, token) => send(attack, 'POST /user/logout', {}, bearer(token)),
    'sessions ended by a super admin': ({ id }) =>
      send(attack, `DELETE /users/${id}/sessions`, undefined, bearer(root)),
    'pages taken away': ({ id }) => send(attack, `POST /admin/admins/${id}`, { pages: {} }, bearer(root)),
    deactivation: ({ id }) => context.db.transaction((tx) => updateAccount(tx, { me: null }, id, { is_active: false })),
  }
  for (const [name, end] of Object.entries(ends)) {
    const user = await make.admin({ permissions: ['leads'] })
    const { token } = (await signIn(attack, user.username)).body
    const stream = await openStream(attack, token)
    const began = performance.now()
    await end(user, token)
    await until(() => !stream.isOpen, 40).catch(() => {})
    seconds[name] = stream.isOpen ? Number.POSITIVE_INFINITY : (performance.now() - began) / 1000
  }
  const said = Object.entries(seconds).map(([name, took]) => `${name} ${took.toFixed(2)} s`)
  return [
    {
      tried: 'listening on after one’s rights are gone',
      found: `the stream ends after ${said.join(', ')}`,
      held: Object.values(seconds).every((took) => took < 5),
    },
    await campaignTakenAway(attack, root),
    await openedTooLate(attack),
  ]
}

/** Streams that open while their session ends. */
async function openedTooLate(attack: Attack): Promise<Tried> {
  const user = await attack.make.admin({ permissions: ['leads'] })
  const streams: Awaited<ReturnType<typeof openStream>>[] = []
  for (let round = 0; round < 20; round += 1) {
    const { token } = (await signIn(attack, user.username)).body
    const [stream] = await Promise.all([
      openStream(attack, token),
      send(attack, 'POST /user/logout', {}, bearer(token)),
    ])
    streams.push(stream)
  }
  const opened = streams.filter(({ status }) => status === 200)
  const left = () => opened.filter(({ isOpen }) => isOpen).length
  await until(() => left() === 0, 5).catch(() => {})
  const found = `${opened.length} opened, ${left()} of them still open 5 s later`
  for (const { leave } of streams) leave()
  return { tried: 'opening 20 event streams while signing out', found, held: left() === 0 }
}

async function campaignTakenAway(attack: Attack, root: unknown): Promise<Tried> {
  const { make } = attack
  const site = await make.clientSite({ callrail_campaign_identifier: 'COM-c', signingKey: 'key of c' })
  const user = await make.admin({ permissions: ['leads'], campaigns: [site.campaign_id!] })
  const { token } = (await signIn(attack, user.username)).body
  const stream = await openStream(attack, token)
  const witness = await openStream(attack, root)
  const call = async () => {
    const text = JSON.stringify(postCall({ company_resource_id: 'COM-c' }))
    await send(attack, 'POST /hooks/callrail', text, {
      signature: computeCallRailSignature('key of c', Buffer.from(text)),
    })
    await until(async () => (await waiting(attack)) === 0, 60)
  }
  const heard = (one = stream) => one.text.split('event: lead').length - 1
  await call()
  await until(() => heard() === 1 && heard(witness) === 1, 60)
  const answer = await send(
    attack,
    `POST /admin/admins/${user.id}`,
    { campaigns: { [site.campaign_id!]: 0 } },
    bearer(root),
  )
  await call()
  await until(() => heard(witness) === 2, 60) // the witness gets it after the first stream
  const after = heard()
  for (const { leave } of [stream, witness]) leave()
  return {
    tried: 'hearing of leads of a campaign that was taken away',
    found: `taken away ${answer.status}; ${after - 1} heard after it`,
    held: answer.status === 200 && after === 1,
  }
}

async function manyStreams(attack: Attack): Promise<Tried[]> {
  const user = await attack.make.admin({ permissions: ['leads'] })
  const { token } = (await signIn(attack, user.username)).body
  const streams: Awaited<ReturnType<typeof openStream>>[] = []
  for (let index = 0; index < 60; index += 1) streams.push(await openStream(attack, token))
  const open = () => streams.filter(({ isOpen }) => isOpen)
  await until(() => open().length <= 8, 20).catch(() => {})
  const left = open()
  const newest = left.every((stream) => streams.indexOf(stream) >= 60 - left.length)
  for (const { leave } of streams) leave()
  return [
    {
      tried: 'opening 60 event streams with one session',
      found: `${left.length} stay open, ${newest ? 'the newest' : 'NOT the newest'}`,
      held: left.length === 8 && newest,
    },
  ]
}
