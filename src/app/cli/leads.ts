import { basename, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type DateOrder, type DecimalMark, dateOrders, decimalMarks } from '#contract/column-reading.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import { HttpError, validationError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { importLeads } from '#domains/leads/import/server/import-file.ts'
import { inboundEventStates } from '#domains/leads/intake/labels.ts'
import { type ListedEvent, listEvents, replayEvents } from '#domains/leads/intake/server/replay.ts'
import { rebuildLeadSums } from '#domains/leads/sums/server/build-sums.ts'
import { printLine, withAppContext } from './run-command.ts'

/** The audit log records the whole command, not a row; the leads it makes have their own entries. */
const noRowId = 0

export function defineImportCommand(command: Command): void {
  command.description('import data from a file')
  command
    .command('leads <file.csv>')
    .description('import leads from a CSV file with the column names of the export; no emails are sent')
    .option('--dry-run', 'print the outcome of each line, and write nothing')
    .option('--yes', 'write the good lines even if others are refused, without asking')
    .addOption(new Option('--dates <order>', 'how days such as 5/11/2026 are read').choices(dateOrders))
    .addOption(new Option('--decimal <mark>', 'what stands before the cents').choices(decimalMarks))
    .action((file: string, options: LeadImportOptions) =>
      withAppContext((context) => runLeadImport(context, resolve(file), options)),
    )
}

type LeadImportOptions = { dryRun?: boolean; yes?: boolean; dates?: DateOrder; decimal?: DecimalMark }

async function runLeadImport(
  context: AppContext,
  file: string,
  { dryRun = false, yes = false, dates, decimal }: LeadImportOptions,
) {
  const confirm = async () => yes || (process.stdin.isTTY && (await askConfirmation('Write the good lines? (yes/no) ')))
  const count = await importLeads({ context, file, dryRun, say: printLine, readAs: { dates, decimal }, confirm })
  if (dryRun) return
  if (count.written > 0) await writeCommandAudit(context, 'import of leads', { file: basename(file), ...count })
  else if (count.refused > 0) throw new HttpError(422, 'Fix the lines above, or write the others with --yes')
}

async function askConfirmation(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(question)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

export function defineRecountCommand(command: Command): void {
  command
    .description(
      'rebuild the sums of leads for lists, statistics, chart and table, while people keep working; counts stay correct in the meantime',
    )
    .action(() =>
      withAppContext(async ({ db, settings }) => {
        await rebuildLeadSums(db, settings.AGENCY_TIMEZONE)
        printLine('The sums of leads are rebuilt')
      }),
    )
}

export function defineEventCommands(events: Command): void {
  events.description('list and replay the events that CallRail and the forms sent')
  events
    .command('list')
    .description('print the newest events, with the reason for those that were put aside')
    .addOption(new Option('--state <state>', 'only events in this state').choices(inboundEventStates))
    .option('--limit <number>', 'maximum number of events', parsePositiveInt, 100)
    .action(({ state, limit }: NonNullable<Parameters<typeof listEvents>[1]>) =>
      withAppContext(async (context) =>
        printEvents(await listEvents(context, { ...(state && { state }), ...(limit && { limit }) })),
      ),
    )
  events
    .command('replay')
    .argument('[ids...]', 'the events', (id, others: number[] = []) => [...others, parsePositiveInt(id)])
    .description('process events again, after the problem was fixed')
    .option('--all', 'every event that was put aside')
    .action((ids: number[] = [], { all = false }: { all?: boolean }) =>
      withAppContext((context) => runReplay(context, ids, all)),
    )
}

async function runReplay(context: AppContext, ids: number[], all: boolean) {
  if (all === ids.length > 0)
    throw validationError({ ids: ['Name the events by id, or all that were put aside with --all'] })
  const replayed = await replayEvents(context, all ? 'quarantined' : ids)
  if (replayed.length > 0)
    await writeCommandAudit(context, 'replay of events', { events: replayed.map(({ id }) => id) })
  printEvents(replayed)
  const missing = ids.filter((id) => !replayed.some((event) => event.id === id))
  if (missing.length > 0) throw new HttpError(404, `No event ${missing.join(', ')} can be replayed`)
}

function printEvents(events: ListedEvent[]) {
  if (events.length === 0) printLine('No events')
  for (const { id, received_at, provider, state, reason, lead_id, begins } of events) {
    const outcome = reason ?? (lead_id === null ? '' : `lead ${lead_id}`)
    printLine([id, received_at.toISOString(), provider, state, outcome, begins.slice(0, 60)].join('  '))
  }
}

function parsePositiveInt(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError(`${text} is not a whole number.`)
  return Number(text)
}

const writeCommandAudit = (context: AppContext, kind: string, after: Record<string, unknown>) =>
  context.db.transaction((tx) => writeAudit(tx, { me: null }, { kind, rowId: noRowId, before: null, after }))
