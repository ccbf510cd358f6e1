import { basename, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { House } from '#core/app-context.ts'
import { record } from '#core/audit/write-audit.ts'
import { invalid, Refusal } from '#core/http/errors.ts'
import { importLeads } from '#domains/leads/import/server/import-file.ts'
import { eventStates, type ListedEvent, listEvents, replayEvents } from '#domains/leads/intake/server/replay.ts'
import { recount } from '#domains/reports/counted-weeks/server/recount.ts'
import { say, withHouse } from './run-command.ts'

/** What the trail keeps of a whole command; the leads it makes are in the leads. */
const noRow = 0

export function importCommand(command: Command): void {
  command.description('bring data in from a file')
  command
    .command('leads <file.csv>')
    .description('leads from a CSV file whose columns are named as in the export; nobody is mailed')
    .option('--dry-run', 'say what would become of each line, and write nothing')
    .option('--yes', 'write the good lines although others are refused, without asking')
    .action((file: string, options: ImportOptions) => withHouse((house) => bringIn(house, resolve(file), options)))
}

type ImportOptions = { dryRun?: boolean; yes?: boolean }

async function bringIn(house: House, file: string, { dryRun = false, yes = false }: ImportOptions) {
  const confirm = async () => yes || (process.stdin.isTTY && (await isWanted('Write the good lines? (yes/no) ')))
  const count = await importLeads({ house, file, dryRun, say, confirm })
  if (dryRun) return
  if (count.written > 0) await keepInTrail(house, 'import of leads', { file: basename(file), ...count })
  else if (count.refused > 0) throw new Refusal(422, 'Mend the lines above, or write the others with --yes')
}

async function isWanted(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(question)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

export function recountCommand(command: Command): void {
  command
    .description('count anew what chart and table add up, while people go on working; they count right without it')
    .action(() =>
      withHouse(async ({ db }) => {
        await recount(db)
        say('Every week is counted anew')
      }),
    )
}

export function eventCommands(events: Command): void {
  events.description('what CallRail and the forms sent')
  events
    .command('list')
    .description('the newest events, and why those that could not be used were put aside')
    .addOption(new Option('--state <state>', 'only these').choices(eventStates))
    .option('--limit <number>', 'at most so many', wholeNumber, 100)
    .action(({ state, limit }: NonNullable<Parameters<typeof listEvents>[1]>) =>
      withHouse(async (house) => show(await listEvents(house, { ...(state && { state }), ...(limit && { limit }) }))),
    )
  events
    .command('replay [ids...]')
    .description('look at events again, after what stood in their way was mended')
    .option('--all', 'every event that was put aside')
    .action((ids: string[], { all = false }: { all?: boolean }) =>
      withHouse((house) => replay(house, ids.map(wholeNumber), all)),
    )
}

async function replay(house: House, ids: number[], all: boolean) {
  if (all === ids.length > 0) throw invalid({ ids: ['Name the events by id, or all that were put aside with --all'] })
  const replayed = await replayEvents(house, all ? 'quarantined' : ids)
  if (replayed.length > 0) await keepInTrail(house, 'replay of events', { events: replayed.map(({ id }) => id) })
  show(replayed)
  const missing = ids.filter((id) => !replayed.some((event) => event.id === id))
  if (missing.length > 0) throw new Refusal(404, `There is no event ${missing.join(', ')} that could be replayed`)
}

function show(events: ListedEvent[]) {
  if (events.length === 0) say('There is none')
  for (const { id, received_at, provider, state, reason, lead_id, begins } of events) {
    const outcome = reason ?? (lead_id === null ? '' : `lead ${lead_id}`)
    say([id, received_at.toISOString(), provider, state, outcome, begins.slice(0, 60)].join('  '))
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError(`${text} is no whole number.`)
  return Number(text)
}

const keepInTrail = (house: House, kind: string, after: Record<string, unknown>) =>
  house.db.transaction((tx) => record(tx, { me: null }, { kind, rowId: noRow, before: null, after }))
