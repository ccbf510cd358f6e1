import { cpus, loadavg, totalmem } from 'node:os'
import type { Batch } from './batch.ts'
import type { InBrowser } from './browser.ts'
import type { Detection } from './detection.ts'
import type { Export } from './export.ts'
import type { Growth } from './growth.ts'
import type { Spread } from './http-client.ts'
import type { InDatabase } from './in-database.ts'
import type { Intake } from './intake.ts'
import type { Peer } from './peer.ts'
import type { Read } from './reads.ts'
import type { SigningIn } from './signing-in.ts'
import type { Staff } from './staff.ts'
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
  intake: Intake | null
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

const intakeGoal = 0.5
export const cell = (number: number, digits = 1) => number.toFixed(digits)
export const verdict = (met: boolean) => (met ? 'met' : 'MISSED')

/** One row a question: what it took us, what it took the floor, and what we want. */
export function table({
  reads,
  inDatabase,
  detection,
  export: exported,
  signingIn,
  staff,
  batch,
  intake,
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
    rows.push([
      `an hour's detection over ${detection.sources.toLocaleString('en-US')} sources`,
      `${cell(detection.cpuMs / 1000)} s of one core`,
      ...['', '', '', '', '', 'under 5 s of one core'],
      verdict(detection.met),
    ])
  if (exported) rows.push(exportRow(exported))
  if (signingIn) rows.push(signingInRow(signingIn))
  if (staff)
    rows.push([`a request of ${staff.people} staff at work`, `${cell(staff.p50)} ms`, '', '', '', '', '', '', ''])
  if (batch) rows.push(...batchRows(batch))
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

/** Seconds; and milliseconds of the list that is read while the batch runs. */
const batchGoals = { seconds: 30, list: 200 }

function batchRows({ leads, seconds, undoSeconds, list, alone }: Batch): string[][] {
  const many = leads.toLocaleString('en-US')
  const row = (name: string, ours: string, goal: string, isMet: boolean) => [
    name,
    ours,
    '',
    '',
    '',
    '',
    '',
    goal,
    verdict(isMet),
  ]
  const within = (name: string, taken: number) =>
    row(name, `${cell(taken)} s`, `within ${batchGoals.seconds} s`, taken <= batchGoals.seconds)
  return [
    within(`a batch of ${many} leads`, seconds),
    within('its undo', undoSeconds),
    row(
      'the list meanwhile, 95th percentile',
      `${cell(list.ninetyFifth)} ms (${cell(alone)} alone)`,
      `within ${batchGoals.list} ms`,
      list.ninetyFifth <= batchGoals.list,
    ),
  ]
}

/** Hashing is most of it, on every processor there is. */
const signingInGoal = 0.8

const signingInRow = ({ ours, floor, ratio }: SigningIn): string[] => [
  'sign-ins, 4 at once',
  `${cell(ours, 0)}/s`,
  `${cell(floor, 0)}/s`,
  cell(ratio, 2),
  '',
  '',
  '',
  `at least ${signingInGoal} x the floor`,
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

/** How many times as long the peer takes. */
export const peerTable = ({ version, rows }: Peer): string[][] => [
  ['what', 'ours', `Directus ${version}`, 'times as long', 'ours, 8 at once', 'Directus, 8 at once'],
  ...rows.map(({ name, ours, peer, ratio, oursTogether, peerTogether }) => [
    name,
    `${cell(ours)} ms`,
    `${cell(peer)} ms`,
    cell(ratio),
    `${cell(oursTogether, 0)}/s`,
    `${cell(peerTogether, 0)}/s`,
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

/** Goals of what is measured in the browser. */
const wanted = { mount: 10, edit: 40, keystroke: 20, nodes: 8, frames: 0.9 }

const share = ({ median, ninetyFifth }: Spread) => `${cell(median)} ms, ${cell(ninetyFifth)} at the 95th percentile`

export function browserTable({
  cold,
  warm,
  cells: { ours, rival, ratio },
  scrolled,
  paging,
  triage,
}: InBrowser): string[][] {
  const load = (name: string, { usableMs, kilobytes, requests }: InBrowser['cold']) => [
    `the leads list until it can be used, ${name}`,
    `${cell(usableMs, 0)} ms, ${cell(kilobytes, 0)} kB in ${requests} requests`,
    '',
    '',
    '',
    '',
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
    ['what', 'ours', 'beside it', 'ratio', 'goal', ''],
    load('cold', cold),
    load('warm', warm),
    work('200 leads by all columns, opened', 'mount', 'ms'),
    work('one edit of them', 'edit', 'ms'),
    work('a letter of a search, to the rows it finds', 'keystroke', 'ms'),
    work('elements of the page', 'nodes', 'nodes'),
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

/** Milliseconds: a frame of a screen that draws sixty a second, and how long the next lead may take. */
const triageGoals = { verdict: 1000 / 60, next: 100 }

export const triageRows = ({ leads, verdict: shown, next, open, edit }: Triage): string[][] => [
  [
    `from v to the verdict on screen, ${leads} leads`,
    share(shown),
    '',
    '',
    'the next frame, at the median',
    verdict(shown.median <= triageGoals.verdict),
  ],
  [
    'from v to the next lead',
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
          `${cell(edit)} ms an edit of its row`,
          cell(open / edit, 2),
          'at most 1',
          verdict(open <= edit),
        ],
      ]),
]

export function printGrowth(growth: Growth) {
  for (const row of inColumns(growthTable(growth))) say(row.join('  ').trimEnd())
}

export function inColumns(rows: string[][]): string[][] {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)))
  return rows.map((row) => row.map((text, column) => text.padEnd(widths[column]!)))
}

export const memoryOf = ({ megabytes, firstBytes, peakMemory, grownBy }: Export) =>
  `The export wrote ${cell(megabytes, 0)} MB, the first of them after ${cell(firstBytes, 2)} s; the app's memory grew by at most ${cell(grownBy, 0)} MB, to ${cell(peakMemory, 0)} MB.`

export const daysWork = ({ people, seconds, requests, p50, p99, slowest }: Staff) =>
  `${people} staff made ${requests} requests in ${seconds} s: half of them were answered within ${cell(p50)} ms, 99 of 100 within ${cell(p99)} ms; what takes longest is the ${slowest}.`

export const fateOf = ({ answered, became, drained, bytes }: Intake) =>
  `${answered} events of ${bytes} bytes were answered and ${became} became a lead; the last one ${cell(drained)} s after the last answer.`
