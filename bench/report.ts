import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from '#server/settings.ts'
import type { Export } from './export.ts'
import type { InDatabase } from './in-database.ts'
import type { Intake } from './intake.ts'
import type { Read } from './reads.ts'
import type { SigningIn } from './signing-in.ts'
import type { Staff } from './staff.ts'

export type Results = {
  date: string
  command: string
  leads: number
  rounds: number
  machine: { processors: string; memory: string; load: string; node: string; postgres: string }
  reads: Read[]
  inDatabase: InDatabase[]
  export: Export | null
  signingIn: SigningIn | null
  staff: Staff | null
  intake: Intake | null
}

export const say = (line: string) => process.stdout.write(`${line}\n`)

export const machine = (postgres: string): Results['machine'] => ({
  processors: `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}`,
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  load: loadavg()[0]!.toFixed(1),
  node: process.version,
  postgres,
})

const intakeGoal = 0.5
const cell = (number: number, digits = 1) => number.toFixed(digits)
const verdict = (met: boolean) => (met ? 'met' : 'MISSED')

/** One row a question: what it took us, what it took the floor, and what we want. */
export function table({ reads, inDatabase, export: exported, signingIn, staff, intake }: Results): string[][] {
  const head = ['what', 'ours', 'floor', 'ratio', 'in the database', 'ours, 8 at once', 'floor, 8 at once', 'goal', '']
  const rows = reads.map((read) => [
    read.name,
    `${cell(read.ours)} ms`,
    `${cell(read.floor)} ms`,
    cell(read.ratio, 2),
    `${cell(read.databaseMs)} ms`,
    `${cell(read.oursTogether, 0)}/s`,
    `${cell(read.floorTogether, 0)}/s`,
    read.goal,
    read.goal === '' ? '' : verdict(read.met),
  ])
  for (const { name, databaseMs, goal, met } of inDatabase)
    rows.push([name, '', '', '', `${cell(databaseMs)} ms`, '', '', goal, verdict(met)])
  if (exported) rows.push(exportRow(exported))
  if (signingIn) rows.push(signingInRow(signingIn))
  if (staff)
    rows.push([`a request of ${staff.people} staff at work`, `${cell(staff.p50)} ms`, '', '', '', '', '', '', ''])
  if (!intake) return [head, ...rows]
  const { senders, ours, floor, ratio, floorBy, answered, became } = intake
  const isKept = answered === became
  return [
    head,
    ...rows,
    [
      `hook events stored, ${senders} at once`,
      `${cell(ours, 0)}/s`,
      `${cell(floor, 0)}/s (${floorBy})`,
      cell(ratio, 2),
      '',
      '',
      '',
      `at least ${intakeGoal} x the floor, none lost`,
      verdict(ratio >= intakeGoal && isKept),
    ],
  ]
}

/** In megabytes, of a file of any length. */
const exportMemory = 100

function exportRow({ rows, ours, floor, ratio, grownBy }: Export): string[] {
  return [
    `export of ${rows.toLocaleString('en-US')}`,
    `${cell(ours)} s`,
    `${cell(floor)} s (copy)`,
    cell(ratio, 2),
    '',
    '',
    '',
    `under ${exportMemory} MB of memory`,
    verdict(grownBy < exportMemory),
  ]
}

/** Hashing is most of it, on every processor there is. */
const signingInGoal = 0.8

const signingInRow = ({ ours, floor, ratio }: SigningIn): string[] => [
  'sign-ins, 4 at once',
  `${cell(ours, 0)}/s`,
  `${cell(floor, 0)}/s (the hash)`,
  cell(ratio, 2),
  '',
  '',
  '',
  `at least ${signingInGoal} x the hash alone`,
  verdict(ratio >= signingInGoal),
]

export function print(results: Results) {
  for (const row of inColumns(table(results))) say(row.join('  ').trimEnd())
  if (results.export) say(`\n${memoryOf(results.export)}`)
  if (results.staff) say(`\n${daysWork(results.staff)}`)
  if (results.intake) say(`\n${fateOf(results.intake)}`)
}

function inColumns(rows: string[][]): string[][] {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)))
  return rows.map((row) => row.map((text, column) => text.padEnd(widths[column]!)))
}

/** What is committed: the numbers as they were measured, and the page that is written from them. */
export function keep(results: Results) {
  mkdirSync(join(root, 'bench/results'), { recursive: true })
  mkdirSync(join(root, 'docs'), { recursive: true })
  writeFileSync(join(root, 'bench/results/latest.json'), `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(join(root, 'docs/performance.md'), page(results))
}

const memoryOf = ({ megabytes, firstBytes, peakMemory, grownBy }: Export) =>
  `The export wrote ${cell(megabytes, 0)} MB, the first of them after ${cell(firstBytes, 2)} s; the app's memory grew by at most ${cell(grownBy, 0)} MB, to ${cell(peakMemory, 0)} MB.`

const daysWork = ({ people, seconds, requests, p50, p99, slowest }: Staff) =>
  `${people} staff made ${requests} requests in ${seconds} s: half of them were answered within ${cell(p50)} ms, 99 of 100 within ${cell(p99)} ms; what takes longest is the ${slowest}.`

const fateOf = ({ answered, became, drained, bytes }: Intake) =>
  `${answered} events of ${bytes} bytes were answered and ${became} became a lead; the last one ${cell(drained)} s after the last answer.`

function page(results: Results): string {
  const { machine, leads, date, command, rounds, export: exported, intake } = results
  const [head, ...rows] = inColumns(table(results))
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return `# Performance

This page is written by the benchmark; do not edit it. To measure again, on whatever machine this is:

\`\`\`
${command}
\`\`\`

Measured on ${date} with ${leads.toLocaleString('en-US')} leads over eight years in 400 campaigns, on ${machine.processors} with
${machine.memory}, Node.js ${machine.node}, the embedded PostgreSQL ${machine.postgres} as it ships. The load average before the
first measurement was ${machine.load}. Absolute times belong to that machine; the ratios are what the goals are about.

${[head!, head!.map((cells) => '-'.repeat(cells.length)), ...rows].map(line).join('\n')}
${exported ? `\n${memoryOf(exported)}\n` : ''}${results.staff ? `\n${daysWork(results.staff)}\n` : ''}${intake ? `\n${fateOf(intake)}\n` : ''}
## How it is measured

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
  \`copy … to stdout\` of the same leads. Memory is what the app's process holds in RAM, looked at every 50 ms, beyond what it
  held before.
- **Sign-ins** verify a password, whose hash is dear by intention; the floor verifies the same hash and does nothing else.
- **The staff** are four super admins, ten admins of a hundred campaigns and sixteen handlers of twenty, who at the same time open lists,
  count, search, mark leads and look at chart and table, each about twice a second.
- **Hook events** are signed posts of finished calls, each of another call, ${intake?.senders ?? 16} at a time; an event counts when it is
  answered, which is after its bytes are on disk. What is stored stands back for what still comes, at most ten seconds; the app
  makes leads of it after that, and mails are off meanwhile. Their floor is ${intake?.floorBy === 'pgbench' ? "PostgreSQL's own `pgbench`" : 'a loop over `pg`'} with
  as many connections, each insert of the same bytes into an equal table a transaction of its own.
- Neither side compresses here; a browser gets its answers compressed.
`
}
