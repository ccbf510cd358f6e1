import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrateDatabase } from '#app/server/migrate.ts'
import { startPostgres, toConnectionUrl } from '#core/postgres/postgres.ts'
import { drillSettings } from './drill-app.ts'
import { fullDisk } from './full-disk.ts'
import { takenOver } from './hanging-worker.ts'
import { fillJournal } from './journal.ts'
import { kills, mailsAreOut, type Violence } from './kills.ts'
import { exported, flat } from './memory.ts'
import { killMessageSenders } from './message-kills.ts'
import { paused } from './paused.ts'
import { rolling } from './rolling.ts'

/** npm run soak -- [--only kills|messages|disk|journal|paused|rolling|takeover|export|flat] [--minutes 10] [--rounds 4]: long runs of the suite's drills. */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '4' },
  },
})

const say = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
const times = (count: number, what: Violence): Violence[] => Array.from({ length: count }, () => what)

/** Twenty kills of the app and ten kills or restarts of PostgreSQL, in the same order each time. */
const violence = [
  ...times(10, 'kill the app'),
  ...times(10, 'kill the app mid-mail'),
  ...times(5, 'kill PostgreSQL'),
  ...times(5, 'restart PostgreSQL'),
].map((what, index, all) => all[(index * 7) % all.length] ?? what)

/** Each drill, with the conditions that must hold afterwards. */
const drills: Record<string, () => Promise<{ found: unknown; wrong: string[] }>> = {
  kills: async () => {
    const found = await kills(5000, violence, { say, lastly: mailsAreOut })
    return judged(found, {
      'nothing is lost': found.lost === 0 && found.mailsLost === 0,
      'nothing is there twice': found.duplicated === 0 && found.lettersTwice === 0,
      'every mail went out or is shown as uncertain': found.open === 0 && found.sent + found.uncertain === 5000,
      'it serves again within 3 s': Math.max(...Object.values(found.back)) < 3,
      'it has drained within 15 s': found.drained < 15,
    })
  },
  messages: () =>
    withDatabase(async (url) => {
      const found = await killMessageSenders(url, 20, say)
      return judged(found, {
        'no one is notified twice': found.doubled.length === 0,
        'everyone is notified, or the mail is shown as uncertain': found.lost.length === 0,
      })
    }),
  disk: async () => {
    const found = await fullDisk(15, say)
    if (typeof found === 'string') return { found, wrong: ['no disk was filled'] }
    return judged(found, {
      'nothing is lost or there twice': found.lost === 0 && found.duplicated === 0,
      'hooks are answered 200 or 503': found.statuses.every(([status]) => status === 200 || status === 503),
      'it notices, and recovers, within 3 s': found.noticed < 3 && found.back < 3,
    })
  },
  journal: () =>
    withDatabase(async (url) => {
      // With 2 or more rounds, each process is killed and the disk is full once.
      const found = await fillJournal(url, Number(values.rounds), say)
      return judged(found, {
        'no hook answered 200 is lost': found.lost === 0,
        'nothing is there twice': found.duplicated === 0 && found.lettersTwice === 0,
        'hooks are kept while the database is down': found.keptWhileAway > 100,
        'hooks get 503 on a full disk': typeof found.disk === 'string' || found.disk.refused > 0,
      })
    }),
  paused: () =>
    withDatabase(async (url) => {
      const found = await paused(url, 2000, 60)
      return judged(found, {
        'nothing is lost or there twice': found.lost === 0 && found.duplicated === 0 && found.lettersTwice === 0,
        'the other process continues': found.meanwhile > 100,
      })
    }),
  rolling: () =>
    withDatabase(async (url) => {
      const found = await rolling({ ...drillSettings, DATABASE_URL: url }, 10, say)
      return judged(found, {
        'no request fails': found.failed.length === 0,
        'every exit code is 0': found.codes.every((code) => code === 0),
      })
    }),
  takeover: () =>
    withDatabase(async (url) => {
      const seconds = [await takenOver(url), await takenOver(url), await takenOver(url)]
      return judged({ seconds }, { 'it runs again in 45 s': Math.max(...seconds) < 45 })
    }),
  export: () =>
    withDatabase(async (url) => {
      const found = await exported(drillSettings, url, { leads: 200_000, letters: 200 })
      return judged(found, { 'under 100 MB': found.grownBy < 100, 'it ends with its reader': found.diedAfter < 5 })
    }),
  flat: () =>
    withDatabase(async (url) => {
      await exported(drillSettings, url, { leads: 20_000, letters: 200 }) // leaves leads to show
      const found = await flat(drillSettings, url, Number(values.minutes))
      return judged(found, { 'it holds no more than before': found.late.heap - found.early.heap < 10 })
    }),
}

const judged = (found: unknown, rules: Record<string, boolean>) => ({
  found,
  wrong: Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule])),
})

async function withDatabase<Answer>(run: (url: string) => Promise<Answer>): Promise<Answer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'leadline-soak-'))
  chmodSync(dataDir, 0o711) // as root, PostgreSQL runs as another user, who needs access
  const server = await startPostgres({ dataDir, log: { debug() {}, info() {}, warn: console.warn } })
  try {
    const url = toConnectionUrl(server.connection)
    await migrateDatabase(url)
    return await run(url)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const chosen = Object.entries(drills).filter(([name]) => !values.only || name === values.only)
if (chosen.length === 0) {
  process.stderr.write(`--only is one of ${Object.keys(drills).join(', ')}\n`)
  process.exit(1)
}
const results: Record<string, unknown> = {}
for (const [name, drill] of chosen) {
  say(`— ${name}`)
  const { found, wrong } = await drill()
  results[name] = found
  say(`${JSON.stringify(found)}`)
  say(wrong.length === 0 ? 'holds' : `DOES NOT HOLD: ${wrong.join('; ')}`)
  if (wrong.length > 0) process.exitCode = 1
}
const kept = join(import.meta.dirname, 'results/latest.json')
mkdirSync(dirname(kept), { recursive: true })
const before = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {}
const date = new Date().toISOString().slice(0, 10)
const after = Object.entries(results).map(([name, found]) => [name, { date, found }])
writeFileSync(kept, `${JSON.stringify({ ...before, ...Object.fromEntries(after) }, null, 2)}\n`)
