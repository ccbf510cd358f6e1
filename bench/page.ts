import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#core/settings/settings.ts'
import type { InBrowser } from './browser.ts'
import type { Growth } from './growth.ts'
import { browserTable, growthTable, inColumns, peerGoal, peerTable, type Results, table } from './report.ts'
import { type MeasuredScreen, screensTable } from './screens.ts'
import { daysWork, describeRound, fateOf, memoryOf } from './sentences.ts'
import type { SiteChecks } from './site-checks.ts'

type Measured = { results: Results; growth: Growth | null; browser: InBrowser | null; checks: SiteChecks | null }
const folder = join(projectRoot, 'bench/results')

/**
 * Writes the files that are committed: the measured numbers, and from them docs/performance.md and the table in the README. What runs
 * of their own measured, and is told in words, stands in `in-words.txt`.
 */
export function keep(name: 'latest' | 'growth' | 'browser' | 'checks', found: object) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(found, null, 2)}\n`)
  const results = kept<Results>('latest')
  if (!results) return
  const measured = {
    results,
    growth: kept<Growth>('growth'),
    browser: kept<InBrowser>('browser'),
    checks: kept<SiteChecks>('checks'),
  }
  writeFileSync(join(projectRoot, 'docs/performance.md'), page(measured))
  const readme = join(projectRoot, 'README.md')
  const text = readFileSync(readme, 'utf8')
  writeFileSync(
    readme,
    text.replace(/(<!-- measured -->)[\s\S]*?(<!-- \/measured -->)/, `$1\n\n${inShort(measured)}\n\n$2`),
  )
}

function kept<T>(name: string): T | null {
  const file = join(folder, `${name}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null // `keep` wrote it
}

function markdown(rows: string[][]): string {
  const [head, ...others] = inColumns(rows)
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [head!, head!.map((cells) => '-'.repeat(cells.length)), ...others].map(line).join('\n')
}

/** The short table for the README. */
function inShort({ results, growth }: Measured): string {
  const wanted = ['list, a month', 'search, two words, all years', 'statistics, a month', 'hook events stored']
  const isWanted = ([name = '']: string[]) => name === 'what' || wanted.some((one) => name.startsWith(one))
  const [what, ours, floor, ratio] = [0, 1, 2, 3]
  const peer = new Map(results.peer?.rows.map(({ name, ratio }) => [name, `${ratio.toFixed(1)} x`]))
  const grows = new Map(growth?.rows.map(({ name, exponent }) => [name, exponent.toFixed(2)]))
  const rows = table(results).filter(isWanted)
  return markdown(
    rows.map((row, at) => {
      const name = row[what]!.replace(/, \d+ at once$/, '')
      const [other, exponent] =
        at === 0 ? ['Directus takes', 'grows with the leads by'] : [peer.get(name) ?? '', grows.get(name) ?? '']
      return [name, row[ours]!, row[floor]!, row[ratio]!, other, exponent]
    }),
  )
}

function page({ results, growth, browser, checks }: Measured): string {
  const { machine, leads, date, command, rounds, export: exported, intake } = results
  return `# Performance

This page is written by the benchmark; do not edit it. To measure on your own machine:

\`\`\`
${command}
\`\`\`

Measured on ${date} with ${leads.toLocaleString('en-US')} leads over eight years in 400 campaigns, on ${machine.processors} with
${machine.memory}, Node.js ${machine.node}, and the embedded PostgreSQL ${machine.postgres} with default settings. The load average before the
first measurement was ${machine.load}. Absolute times are specific to that machine; the goals are about the ratios.

${markdown(table(results))}
${exported ? `\n${memoryOf(exported)}\n` : ''}${results.staff ? `\n${daysWork(results.staff)}\n` : ''}${intake ? `\n${fateOf(intake)}\n` : ''}
Why goals are missed, and what was tried: [022](decisions/022-missed-goals.md).

${readFileSync(join(folder, 'in-words.txt'), 'utf8')}
${sections(results, growth, browser)}${checks ? describeChecks(checks) : ''}## How it is measured

- **Ours** is the whole app in its own process, over HTTP with keep-alive connections, including session, permissions, parsing and log line,
  with its jobs running. The reader is a super admin, so that every row and every column is returned.
- **The floor** is a bare \`node:http\` server in another process with one \`pg\` pool, whose SQL is written by hand for exactly that
  query and whose JSON is built by PostgreSQL (\`bench/floor.ts\`). Before anything is timed, both responses are compared:
  they are equal, value by value.
- Each figure is the median of ${rounds} rounds in which the two sides take turns, so that other work on the machine affects both.
  A round is the median of up to 200 sequential requests, or two seconds of requests eight at a time.
- **In the database** is PostgreSQL's own planning and execution time of the statements that the app sends, taken from the
  running app; a run writes their plans to a folder beside it.
- **The campaigns** are five thousand in a transaction that is rolled back, next to all the leads; the places are those of one
  request of the area map.
- **The export** is a super admin's file with every column, read by a client at full speed; its floor is PostgreSQL's own
  \`copy … to stdout\` of the same columns of the same leads. Memory is the growth of the app's resident memory, sampled every 50 ms.
- **Sign-ins** verify a password, whose hash is deliberately expensive; the bare server verifies the same hash and writes a session.
- **The staff** are forty super admins, a hundred admins with a hundred campaigns each and 160 handlers with twenty, who concurrently open
  lists, count, search, mark leads and view chart and table, each about every two seconds. They get no notifications.
- **The batch** verifies the newest unverified leads, in a job with one commit per step; the undo restores them all. While they run,
  one person reads the list of a month again and again.
- **Hook events** are signed posts of finished calls, each a different call, ${intake?.senders ?? 16} at a time; an event counts when it is
  answered, which is after its bytes are on disk. Processing waits for incoming events, at most ten seconds; then the app
  makes leads of them. Mails are off during the test. The floor is ${intake?.floorBy === 'pgbench' ? "PostgreSQL's own `pgbench`" : 'a loop over `pg`'} with
  as many connections, each inserting the same bytes into an identical table, one transaction per insert.
- **The steady hooks** are such posts at an even rate for half a minute, regardless of response times; a lead's time runs from the first
  byte of its hook until another connection to the database sees the lead.
- Neither side compresses here; browsers get compressed responses.
`
}

function sections({ peer, rounds }: Results, growth: Growth | null, browser: InBrowser | null): string {
  const parts: string[] = []
  if (peer)
    parts.push(`## Compared with Directus

[Directus](https://directus.com) ${peer.version}, a general back office, on the same database and rows, queried through its items API without
a cache, for the same filtered and sorted 50 rows with their total, and for the same counts and sums. It returns the stored columns and the
campaign; ours also returns derived values (mail, related leads, who changed it). Directus does not support keys of two columns, so for its
runs leads get a key of their id alone, and a foreign key to the campaign. Its search uses our search column and its index. The two take
turns; figures are medians of ${rounds} rounds. No second peer is measured: Baserow is in neither npm nor Debian, and the published
NocoDB 0.301.3 does not install from npm, because it needs a file from cdn.sheetjs.com; with another xlsx in its place
it does (1.3 GB), but has no command, and does not load until sqlite3 is compiled.

${markdown(peerTable(peer))}
`)
  if (growth)
    parts.push(`## Growth

\`\`\`
npm run bench -- --only growth --sizes ${growth.sizes.join()}
\`\`\`

Agencies with the same last month (8,000 leads) and more and more leads in the eight years before it, measured on ${growth.date}, the sizes
in turns. The exponent is the slope in a log-log plot: 0 does not grow with the table, 1 grows linearly with it. Rows without a goal still
read the matching leads: totals with two filters or with tags or \`rating_via\`, and statistics with any filter
([021](decisions/021-sums-of-leads.md)).

${markdown(growthTable(growth))}

The questions to Directus again, on the largest of them:

${markdown(peerTable(growth.peer, peerGoal))}
`)
  if (browser)
    parts.push(`## In the browser

\`\`\`
npm run bench -- --only browser
\`\`\`

Chromium on the demo, measured on ${browser.date}. Work is milliseconds of the page's main thread for 200 leads with all columns; the baseline
is the same list with a library component in every cell (\`bench/rival\`). Frame rates are compared with those of an empty scroller.

${markdown(browserTable(browser))}
${browser.screens ? describeScreens(browser.screens) : ''}`)
  return parts.map((part) => `${part}\n`).join('')
}

const describeChecks = (checks: SiteChecks) => `## Checks of sites

\`\`\`
npm run bench -- --only checks --sites ${checks.sites}
\`\`\`

${describeRound(checks)}

The bytes that a check reads from the network, of a server that sends as servers do over the internet: 14.6 kB at first, twice as many with
each round trip. Before is commit 49105d0e, when a check read only the head of an answer, and asked once; at most 2 x is the goal.

${markdown([
  ['the site answers with', 'requests', 'bytes', 'before', 'ratio'],
  ...checks.bytes.map(({ what, requests, bytes, before }) => [
    what,
    String(requests),
    bytes.toLocaleString('en-US'),
    before.toLocaleString('en-US'),
    `${(bytes / before).toFixed(1)} x`,
  ]),
])}

`

const describeScreens = (screens: MeasuredScreen[]) => `
Every screen of the demo, signed in. Blocked is the total time beyond 50 ms of each long task on the main thread, with 200 rows; the
scores are Lighthouse's for a desktop, for the screen as it opens. Where performance misses, it is the median of three.

${markdown(screensTable(screens))}
`
