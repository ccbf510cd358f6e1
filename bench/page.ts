import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#core/settings/settings.ts'
import type { InBrowser } from './browser.ts'
import type { Growth } from './growth.ts'
import { browserTable, growthTable, inColumns, peerTable, type Results, table } from './report.ts'
import { type MeasuredScreen, screensTable } from './screens.ts'
import { daysWork, fateOf, memoryOf } from './sentences.ts'

type Measured = { results: Results; growth: Growth | null; browser: InBrowser | null }
const folder = join(projectRoot, 'bench/results')

/** What is committed: the numbers as they were measured, and what is written from them: the page, and the table of the README. */
export function keep(name: 'latest' | 'growth' | 'browser', found: object) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(found, null, 2)}\n`)
  const results = kept<Results>('latest')
  if (!results) return
  const measured = { results, growth: kept<Growth>('growth'), browser: kept<InBrowser>('browser') }
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
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null // written by `keep`
}

function markdown(rows: string[][]): string {
  const [head, ...others] = inColumns(rows)
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [head!, head!.map((cells) => '-'.repeat(cells.length)), ...others].map(line).join('\n')
}

/** What somebody asks first. */
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

function page({ results, growth, browser }: Measured): string {
  const { machine, leads, date, command, rounds, export: exported, intake } = results
  return `# Performance

This page is written by the benchmark; do not edit it. To measure again, on whatever machine this is:

\`\`\`
${command}
\`\`\`

Measured on ${date} with ${leads.toLocaleString('en-US')} leads over eight years in 400 campaigns, on ${machine.processors} with
${machine.memory}, Node.js ${machine.node}, the embedded PostgreSQL ${machine.postgres} as it ships. The load average before the
first measurement was ${machine.load}. Absolute times belong to that machine; the ratios are what the goals are about.

${markdown(table(results))}
${exported ? `\n${memoryOf(exported)}\n` : ''}${results.staff ? `\n${daysWork(results.staff)}\n` : ''}${intake ? `\n${fateOf(intake)}\n` : ''}
${sections(results, growth, browser)}## How it is measured

- **Ours** is the whole app in a process of its own, over HTTP with kept connections: session, rights, parsing, log line and
  all, with its jobs running. The reader is a super admin, so that every row and every column is answered.
- **The floor** is a bare \`node:http\` server in another process with one \`pg\` pool, whose SQL is written by hand for just that
  question and whose JSON is built by PostgreSQL (\`bench/floor.ts\`). Before anything is timed, both answers are compared:
  they are equal, value by value.
- Each figure is the median of ${rounds} rounds in which the two sides take turns, so that other work on the machine falls on both.
  A round is the median of up to 200 requests one after the other, or two seconds of requests eight at a time.
- **In the database** is PostgreSQL's own planning and execution time of the statements that the app sends, taken from the
  running app; how they are carried out is in \`bench/plans\`.
- **The campaigns** are five thousand within a transaction that is rolled back, beside all the leads; the places are those of one
  call of the area map.
- **The export** is the file of a super admin, of every column, read by a client as fast as it comes; its floor is PostgreSQL's own
  \`copy … to stdout\` of the same columns of the same leads. Memory is what the app's process holds in RAM, looked at every 50 ms, beyond what it
  held before.
- **Sign-ins** verify a password, whose hash is dear by intention; the bare server verifies the same hash and writes a session.
- **The staff** are forty super admins, a hundred admins of a hundred campaigns and 160 handlers of twenty, who at the same time open
  lists, count, search, mark leads and look at chart and table, each about every two seconds.
- **The batch** verifies the newest leads that are not, by a job in steps of one commit each; the undo brings them all back. The list of a
  month is read again and again by one person while they run.
- **Hook events** are signed posts of finished calls, each of another call, ${intake?.senders ?? 16} at a time; an event counts when it is
  answered, which is after its bytes are on disk. What is stored stands back for what still comes, at most ten seconds; the app
  makes leads of it after that, and mails are off meanwhile. Their floor is ${intake?.floorBy === 'pgbench' ? "PostgreSQL's own `pgbench`" : 'a loop over `pg`'} with
  as many connections, each insert of the same bytes into an equal table a transaction of its own.
- **The steady hooks** are such posts sent evenly for half a minute, however long answers take; a lead counts from the first byte of its
  hook until another connection to the database sees it.
- Neither side compresses here; a browser gets its answers compressed.
`
}

function sections({ peer, rounds }: Results, growth: Growth | null, browser: InBrowser | null): string {
  const parts: string[] = []
  if (peer)
    parts.push(`## Beside what one would pick instead

[Directus](https://directus.com) ${peer.version} on the same database and rows, asked through its items API, without a cache, for the
same filtered and sorted 50 rows with their total, and for the same counts and sums. It gives the stored columns and the campaign;
ours also what is worked out of them (mail, related leads, who changed it). It knows no keys of two columns, so leads are given
one of their id alone meanwhile, and a foreign key to the campaign. Its search goes over our own search column, and profits
from that column's index. In turns, the medians of ${rounds} rounds. No second peer is measured: Baserow is in neither npm nor Debian, and
NocoDB 0.301.3 does not install from npm as it is published, because it wants a file of cdn.sheetjs.com; with another xlsx in its place
it does (1.3 GB), but has no command, and does not load before sqlite3 is compiled.

${markdown(peerTable(peer))}
`)
  if (growth)
    parts.push(`## Growth

\`\`\`
npm run bench -- --only growth --sizes ${growth.sizes.join()}
\`\`\`

Agencies whose last month is the same (8,000 leads) with ever more leads in the eight years behind it, measured on ${growth.date}, the sizes
in turns. The exponent is the slope through the logarithms: 0 does not grow with the table, 1 grows as it does. Rows without a goal still
read the leads that match: totals with two filters or with tags or \`rating_via\`, and statistics with any filter
([021](decisions/021-sums-of-leads.md)).

${markdown(growthTable(growth))}
`)
  if (browser)
    parts.push(`## In the browser

\`\`\`
npm run bench -- --only browser
\`\`\`

Chromium on the demo, measured on ${browser.date}. Work is milliseconds of the page's own thread for 200 leads by all columns; its rival is
the same list with a component of the library in every cell (\`bench/rival\`). Frames are beside those of an empty scroller.

${markdown(browserTable(browser))}
${browser.screens ? describeScreens(browser.screens) : ''}`)
  return parts.map((part) => `${part}\n`).join('')
}

const describeScreens = (screens: MeasuredScreen[]) => `
Every screen of the demo, signed in. Blocked is how much longer than 50 ms the tasks of the page's thread take, together, with 200 rows; the
scores are Lighthouse's, as a desktop, of the screen as it opens.

${markdown(screensTable(screens))}
`
