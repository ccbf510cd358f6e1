import { cpus, loadavg, totalmem } from 'node:os'
import type { Batch } from './batch.ts'
import type { InBrowser } from './browser.ts'
import type { Detection } from './detection.ts'
import type { Erasing } from './erasures.ts'
import type { Export } from './export.ts'
import { batchRows, cell, erasureRows, goalRow, verdict } from './goal-rows.ts'
import type { Growth } from './growth.ts'
import type { Spread } from './http-client.ts'
import type { InDatabase } from './in-database.ts'
import type { Intake } from './intake.ts'
import { openingRow } from './opening.ts'
import type { Peer } from './peer.ts'
import type { Read } from './reads.ts'
import { daysWork, fateOf, memoryOf } from './sentences.ts'
import type { SigningIn } from './signing-in.ts'
import type { Staff } from './staff.ts'
import type { SteadyHooks } from './steady-hooks.ts'
import type { Triage } from './triage.ts'

export type Results = {
  date: string
  command: string
  leads: number
  rounds: number
  machine: { processors: string; memory: string; load: string; node: string; postgres: string }
  reads: Read[]
  inDatabase: InDatabase[]
  detection?: Detection | null
  export: Export | null
  signingIn: SigningIn | null
  staff: Staff | null
  batch?: Batch | null
  erasure?: Erasing | null
  intake: Intake | null
  steadyHooks?: SteadyHooks | null
  peer: Peer | null
}

export const say = (line: string) => process.stdout.write(`${line}\n`)

export const machine = (postgres: string): Results['machine'] => ({
  processors: `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}`,
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  load: loadavg()[0]!.toFixed(1),
  node: process.version,
  postgres,
})

const intakeGoal = 0.8

/** Returns one row per query: our time, the floor's, and the goal. */
export function table({
  reads,
  inDatabase,
  detection,
  export: exported,
  signingIn,
  staff,
  batch,
  erasure,
  intake,
  steadyHooks,
}: Results): string[][] {
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
  if (detection)
    rows.push(
      goalRow(
        `one hour's silence detection over ${detection.sources.toLocaleString('en-US')} sources`,
        `${cell(detection.cpuMs / 1000)} s of one core`,
        'under 5 s of one core',
        detection.met,
      ),
    )
  if (exported) rows.push(exportRow(exported))
  if (signingIn) rows.push(signingInRow(signingIn))
  if (staff)
    rows.push([
      `requests of ${staff.people} staff, 99th percentile`,
      `${cell(staff.p99)} ms`,
      ...['', '', '', '', '', `within ${staffGoalMs} ms`],
      verdict(staff.p99 <= staffGoalMs),
    ])
  if (batch) rows.push(...batchRows(batch))
  if (erasure) rows.push(...erasureRows(erasure))
  if (steadyHooks) rows.push(steadyHooksRow(steadyHooks))
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
      ...['', '', '', `at least ${intakeGoal} x the floor, none lost`],
      verdict(ratio >= intakeGoal && isKept),
    ],
  ]
}

/** In milliseconds. */
const staffGoalMs = 100

/** Seconds from a hook to its lead. */
const steadyGoal = 2

const steadyHooksRow = ({ perSecond, p99, sent, became }: SteadyHooks): string[] => [
  `from hook to lead at ${perSecond.toLocaleString('en-US')} a second, 99th percentile`,
  `${cell(p99, 2)} s`,
  ...['', '', '', '', '', `within ${steadyGoal} s, none lost`],
  verdict(p99 <= steadyGoal && became === sent),
]

/** Megabytes, for a file of any length. */
const exportMemory = 100
/** Times as long as PostgreSQL's own copy, and seconds until the first bytes. */
const [exportGoal, firstBytesGoal] = [2, 0.2]

function exportRow({ rows, ours, floor, ratio, grownBy, firstBytes }: Export): string[] {
  return [
    `export of ${rows.toLocaleString('en-US')} leads`,
    `${cell(ours)} s`,
    `${cell(floor)} s (copy)`,
    cell(ratio, 2),
    ...['', '', ''],
    `at most ${exportGoal} x copy, first bytes in ${firstBytesGoal} s, under ${exportMemory} MB of memory`,
    verdict(ratio <= exportGoal && firstBytes <= firstBytesGoal && grownBy < exportMemory),
  ]
}

/** Hashing takes most of the time, on all processors. */
const signingInGoal = 0.9

const signingInRow = ({ ours, floor, ratio }: SigningIn): string[] => [
  'sign-ins, 4 at once',
  `${cell(ours, 0)}/s`,
  `${cell(floor, 0)}/s`,
  cell(ratio, 2),
  ...['', '', '', `at least ${signingInGoal} x the floor`],
  verdict(ratio >= signingInGoal),
]

export function print(results: Results) {
  for (const row of inColumns(table(results))) say(row.join('  ').trimEnd())
  if (results.export) say(`\n${memoryOf(results.export)}`)
  if (results.staff) say(`\n${daysWork(results.staff)}`)
  if (results.intake) say(`\n${fateOf(results.intake)}`)
  if (results.peer)
    say(
      `\n${inColumns(peerTable(results.peer))
        .map((row) => row.join('  ').trimEnd())
        .join('\n')}`,
    )
}

/** Shows how many times as long the peer takes, and whether it is as many as the goal, if there is one. */
export const peerTable = ({ version, rows }: Peer, goal?: number): string[][] => [
  [
    ...['what', 'ours', `Directus ${version}`, 'times as long', 'ours, 8 at once', 'Directus, 8 at once'],
    ...(goal === undefined ? [] : ['goal', '']),
  ],
  ...rows.map(({ name, ours, peer, ratio, oursTogether, peerTogether }) => [
    name,
    `${cell(ours)} ms`,
    `${cell(peer)} ms`,
    cell(ratio),
    `${cell(oursTogether, 0)}/s`,
    `${cell(peerTogether, peerTogether < 10 ? 1 : 0)}/s`,
    ...(goal === undefined ? [] : [`at least ${goal}`, verdict(ratio >= goal)]),
  ]),
]

export const growthTable = ({ sizes, rows }: Growth): string[][] => [
  ['what', ...sizes.map((size) => `${size.toLocaleString('en-US')} leads`), 'exponent', 'goal', ''],
  ...rows.map(({ name, values, unit, exponent, goal }) => [
    name,
    ...values.map((value) => `${cell(value)} ${unit}`),
    cell(exponent, 2),
    goal === null ? '' : `under ${goal}`,
    goal === null ? '' : verdict(exponent < goal),
  ]),
]

/** Goals of the measurements in the browser. */
const wanted = { mount: 10, edit: 40, keystroke: 20, nodes: 8, frames: 0.9, requests: 15 }

const share = ({ median, ninetyFifth }: Spread) => `${cell(median)} ms, ${cell(ninetyFifth)} at the 95th percentile`

export function browserTable({
  cold,
  warm,
  opening,
  cells: { ours, rival, ratio },
  scrolled,
  paging,
  triage,
}: InBrowser): string[][] {
  const load = (name: string, { usableMs, kilobytes, requests }: InBrowser['cold']) => [
    `opening the leads list until usable, ${name}`,
    `${cell(usableMs, 0)} ms, ${cell(kilobytes, 0)} kB in ${requests} requests`,
    '',
    '',
    `at most ${wanted.requests} requests`,
    verdict(requests <= wanted.requests),
  ]
  const work = (name: string, of: keyof typeof ours, unit: string) => [
    name,
    `${cell(ours[of], unit === 'ms' ? 1 : 0)} ${unit}`,
    `${cell(rival[of], unit === 'ms' ? 1 : 0)} ${unit}`,
    `${cell(ratio[of])} x`,
    `${wanted[of]} x`,
    verdict(ratio[of] >= wanted[of]),
  ]
  return [
    ['what', 'ours', 'baseline', 'ratio', 'goal', ''],
    load('cold', cold),
    load('warm', warm),
    ...(opening ? [openingRow(opening)] : []),
    work('opening 200 leads with all columns', 'mount', 'ms'),
    work('editing one of them', 'edit', 'ms'),
    work('a search keystroke, until its rows are shown', 'keystroke', 'ms'),
    work('DOM nodes of the page', 'nodes', 'nodes'),
    ...scrolled.map(({ grid, frames, empty, ratio: share }) => [
      `scrolling ${grid}`,
      `${cell(frames)}/s`,
      `${cell(empty)}/s`,
      cell(share, 2),
      `at least ${wanted.frames}`,
      verdict(share >= wanted.frames),
    ]),
    [
      `memory after ${paging.pages} pages of the list`,
      `${cell(paging.after)} MB`,
      `${cell(paging.before)} MB after 100`,
      '',
      '',
      '',
    ],
    ...(triage ? triageRows(triage) : []),
  ]
}

/** Milliseconds: a frame at 60 Hz, and the most the next lead may take. */
const triageGoals = { verdict: 1000 / 60, next: 100 }

export const triageRows = ({ leads, verdict: shown, next, open, edit }: Triage): string[][] => [
  [
    `from pressing v to the verdict on screen, ${leads} leads`,
    share(shown),
    '',
    '',
    'the next frame, at the median',
    verdict(shown.median <= triageGoals.verdict),
  ],
  [
    'from pressing v to the next lead',
    share(next),
    '',
    '',
    `${triageGoals.next} ms at the 95th percentile`,
    verdict(next.ninetyFifth <= triageGoals.next),
  ],
  ...(open === undefined || edit === undefined
    ? []
    : [
        [
          'opening a lead',
          `${cell(open)} ms`,
          `${cell(edit)} ms to edit its row`,
          cell(open / edit, 2),
          'at most 1',
          verdict(open <= edit),
        ],
      ]),
]

export function printGrowth(growth: Growth) {
  for (const rows of [growthTable(growth), peerTable(growth.peer, peerGoal)])
    for (const row of inColumns(rows)) say(row.join('  ').trimEnd())
}

/** How many times as long a peer is to take on the largest agency. */
export const peerGoal = 5

export function inColumns(rows: string[][]): string[][] {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)))
  return rows.map((row) => row.map((text, column) => text.padEnd(widths[column]!)))
}
