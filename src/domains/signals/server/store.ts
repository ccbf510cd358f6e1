import { isDeepStrictEqual } from 'node:util'
import { eq, gt, isNull, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { completeTask } from '#domains/activity/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { liveChannels } from '#domains/leads/public.ts'
import type { SourceProbe } from '../describe-checks.ts'
import { signalsTable } from '../schema.ts'
import { formatSubjectKey, type SignalClosing, type SignalFinding } from './finding.ts'
import { probeJob } from './probe-job.ts'

export type OpenSignal = typeof signalsTable.$inferSelect

/** A problem that returns within this time reopens its signal. */
const sameSignalMs = 3_600_000

export const keyOfSignal = (signal: Pick<OpenSignal, 'detected_kind' | 'subject_type' | 'subject_id'>): string =>
  formatSubjectKey({ kind: signal.detected_kind, type: signal.subject_type, id: signal.subject_id })
export const keyOfFinding = ({ kind, subject }: SignalFinding): string =>
  formatSubjectKey({ kind, type: subject.type, id: subject.id })

/** Locks what it reads until the commit: what a probe finds, or a person does, in the meantime is not overwritten. */
export const lockOpenSignals = (tx: Tx): Promise<OpenSignal[]> =>
  tx.select().from(signalsTable).where(isNull(signalsTable.closed_at)).orderBy(signalsTable.id).for('no key update')

export async function readJustClosed(db: DbOrTx, asOf: Date): Promise<Map<string, OpenSignal>> {
  const rows = await db
    .select()
    .from(signalsTable)
    .where(gt(signalsTable.closed_at, new Date(asOf.getTime() - sameSignalMs)))
    .orderBy(signalsTable.closed_at, signalsTable.id)
  return new Map(rows.map((row) => [keyOfSignal(row), row]))
}

/** Tells the open Homes that signals have changed, when the transaction commits. */
export const announceSignals = (tx: Tx) => tx.execute(sql`select pg_notify(${liveChannels.signal}, 'changed')`)

// ——— the one place where signals open and close ———

const toColumns = ({ kind, severity, subject, campaign_id, title, expected_lost, stage }: SignalFinding) => ({
  detected_kind: kind,
  severity,
  title,
  campaign_id,
  subject_type: subject.type,
  subject_id: String(subject.id),
  subject_label: subject.label,
  expected_lost: expected_lost ?? null,
  stage: stage ?? 0,
})

/** Opens a signal, or reopens one that closed within the hour. A silent source is probed at once. */
export async function openSignal(
  tx: Tx,
  context: AppContext,
  finding: SignalFinding,
  { asOf, parent_id, closed }: { asOf: Date; parent_id: number | null; closed: OpenSignal | undefined },
): Promise<OpenSignal> {
  const columns = {
    ...toColumns(finding),
    kind: finding.kind,
    evidence: finding.evidence,
    parent_id,
    ...toFoundColumns(finding),
  }
  const [row] = closed
    ? await tx
        .update(signalsTable)
        .set({ ...columns, closed_at: null, closing_evidence: null })
        .where(eq(signalsTable.id, closed.id))
        .returning()
    : await tx
        .insert(signalsTable)
        .values({ ...columns, opened_at: asOf })
        .returning()
  const signal = row! // just written
  if (signal.detected_kind === 'source_silent')
    await context.jobs.send(tx, probeJob, { id: signal.id }, { key: String(signal.id) })
  return signal
}

/** A known cause becomes the kind. */
const toFoundColumns = ({ found, evidence }: Pick<SignalFinding, 'found'> & { evidence: Record<string, unknown> }) =>
  found
    ? {
        kind: found.kind,
        title: found.title,
        expected_lost: null,
        evidence: {
          ...evidence,
          says: found.says,
          brought_in: found.brought_in,
          hooks_lost_at: new Date().toISOString(),
        },
      }
    : {}

/** Updates an open signal to what is true now: its text, its numbers and its parent. What a probe found stays. */
export async function continueSignal(
  tx: Tx,
  open: OpenSignal,
  finding: SignalFinding,
  parent_id: number | null,
): Promise<OpenSignal> {
  const { stage, expected_lost, ...words } = toColumns(finding)
  // A site that a probe found down explains a silence only for as long as it is down.
  const isUpAgain = open.detected_kind === 'source_silent' && open.kind === 'site_offline' && !isOfOfflineSite(finding)
  const kind = isUpAgain ? open.detected_kind : open.kind
  const keptEvidence = {
    ...keepBeginning(open.evidence, finding.evidence),
    ...(open.kind === 'hooks_lost' ? keepBroughtIn(open.evidence, finding) : {}),
  }
  const wanted = {
    kind,
    // The result of a probe keeps its own text.
    ...(kind === open.detected_kind ? words : { campaign_id: words.campaign_id }),
    ...(open.kind === 'hooks_lost' ? {} : { expected_lost }),
    parent_id,
    ...(stage !== open.stage ? { stage } : {}),
    evidence: {
      ...open.evidence,
      ...finding.evidence,
      ...keptEvidence,
      ...(isUpAgain ? { probe: { ...(open.evidence.probe as SourceProbe), site: null } } : {}), // written by saveProbe
    },
    ...(kind === open.detected_kind
      ? toFoundColumns({ ...finding, evidence: { ...open.evidence, ...finding.evidence } })
      : {}),
  }
  // PostgreSQL keeps the keys of a JSON value in an order of its own.
  const isSame = Object.entries(wanted).every(([name, value]) =>
    isDeepStrictEqual(toJson(value), toJson(open[name as keyof OpenSignal])),
  )
  if (isSame) return open
  const [row] = await tx.update(signalsTable).set(wanted).where(eq(signalsTable.id, open.id)).returning()
  return row!
}

type Evidence = OpenSignal['evidence']

/** A beginning never moves later: without a log of the subject it would do so with each look. */
function keepBeginning({ since }: Evidence, found: Evidence): Evidence {
  if (since === undefined) return {}
  return { since: typeof found.since === 'string' && found.since < String(since) ? found.since : since }
}

/** What a probe counted stays until the list brings in more. */
const keepBroughtIn = ({ says, brought_in }: Evidence, { found }: SignalFinding): Evidence =>
  found && found.brought_in > Number(brought_in ?? 0) ? { says: found.says, brought_in: found.brought_in } : { says }

const isOfOfflineSite = ({ parent }: SignalFinding) => parent?.kind === 'site_offline'

const toJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

/** Closes a signal, and completes its task if it was mended: what is no longer watched may still be broken. */
export async function closeSignal(
  tx: Tx,
  open: OpenSignal,
  { evidence, isUnwatched }: SignalClosing,
  asOf: Date,
): Promise<void> {
  await tx.update(signalsTable).set({ closed_at: asOf, closing_evidence: evidence }).where(eq(signalsTable.id, open.id))
  if (open.task_id && !isUnwatched) await completeTask(tx, open.task_id, evidence.says)
}
