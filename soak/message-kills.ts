import { sql } from 'drizzle-orm'
import { closeContext, createContext } from '#app/server/context.ts'
import type { AppContext } from '#domains/app-context.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { keywordsTable } from '#domains/leads/spam/schema.ts'
import { messageOutbox } from '#domains/messages/server/outbox.ts'
import { signalFindingsTable } from '#domains/signals/schema.ts'
import { signalsJobs } from '#domains/signals/server/jobs.ts'
import { type SmtpSink, startSmtpSink } from '#integrations/fakes/smtp.ts'
import { createFactories } from '#test/factories.ts'
import { type ListeningServer, startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'

export type MessageKills = {
  kills: number
  /** Notices to send: each open signal and the digest to each of the staff, each task to its assignee. */
  due: number
  letters: number
  /** Notices sent to the same person in two mails. */
  doubled: string[]
  /** Notices in no mail whose message is not shown as uncertain either. */
  lost: string[]
  /** Notices in no mail whose message is shown as uncertain: the sender died before the mail was out. */
  unseen: number
  /** Messages whose sender was killed while sending: they may have arrived, and are not sent again. */
  uncertain: number
}

/** The title of a signal that is too mild for a message of its own. */
const inDigestOnly = 'A rule hides good leads'
const secretKey = '5e'.repeat(32)
const staffCount = 5
const sitesEachRound = 2

/** The moments of a kill: while finding, while queuing, with a mail that the mail server has read and not answered, and after a mail. */
const moments = ['finding', 'queuing', 'mid-letter', 'between letters'] as const

/**
 * Takes sites down and assigns tasks while the worker that mails people about them is killed, that many times. In the
 * end each person must have been notified of everything once.
 */
export async function killMessageSenders(
  url: string,
  kills: number,
  say = (_line: string) => {},
): Promise<MessageKills> {
  const sink = await startSmtpSink()
  const settings = {
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    SMTP_URL: sink.url,
    AGENCY_TIMEZONE: zoneWhereItIsNoon(new Date()), // the digest goes out after eight
  }
  const context = await createContext(parseSettings({ ...settings, LOG_LEVEL: 'silent' }), url)
  let worker: ListeningServer | null = null
  try {
    const agency = await openAgency(context)
    for (let round = 0; round < kills; round++) {
      worker = await startServer({ ...settings, LEADLINE_ROLE: 'worker' })
      const moment = moments[round % moments.length]!
      await causeMessages(context, agency, round)
      await waitForMoment(context, sink, moment)
      await stopServer(worker, 'SIGKILL')
      say(`killed ${round + 1}/${kills}, ${moment}: ${sink.letters.length} letters so far`)
    }
    sink.thinks = 0
    worker = await startServer({ ...settings, LEADLINE_ROLE: 'worker' })
    await runSignalsSoon(context)
    await settleMessages(context)
    return { kills, ...(await compareWithLetters(context, sink)) }
  } finally {
    if (worker) await stopServer(worker, 'SIGKILL')
    await closeContext(context)
    await sink.close()
  }
}

const zoneWhereItIsNoon = (now: Date) => {
  const ahead = 12 - now.getUTCHours()
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}` // the sign in these names is inverted
}

type Agency = { campaignId: number; maker: { id: number }; staff: { id: number }[] }

async function openAgency(context: AppContext): Promise<Agency> {
  const make = createFactories(context)
  const { id: campaignId } = await make.campaign({ initial_target: 0 })
  const people = await Promise.all(Array.from({ length: staffCount }, () => make.admin({ campaigns: [campaignId] })))
  // For the digest: a signal from another part of the program, which stays open here.
  const [rule] = await context.db.insert(keywordsTable).values({ keyword: 'free', position: 1 }).returning()
  await context.db.insert(signalFindingsTable).values({
    kind: 'rule_hides_good_leads',
    subject_type: 'rule',
    subject_id: String(rule!.id),
    subject_label: 'free',
    campaign_id: campaignId,
    title: inDigestOnly,
    severity: 'warning',
    evidence: { says: 'It hid 3 leads that were verified later.' },
  })
  return { campaignId, maker: people[0]!, staff: people.slice(1) }
}

/** Takes two sites down and assigns a task; the detectors run at once instead of on schedule. */
async function causeMessages(context: AppContext, { campaignId, maker, staff }: Agency, round: number) {
  const make = createFactories(context)
  for (let site = 0; site < sitesEachRound; site++)
    await make.clientSite({ campaign_id: campaignId, url: `https://down-${round}-${site}.example`, status: 0 })
  await make.activityItem({
    campaign_id: campaignId,
    is_task: true,
    note: `Call back, round ${round}`,
    user_id: maker.id,
    assignee_id: staff[round % staff.length]!.id,
    date: '2099-01-01', // not due, so that no digest contains it
  })
  await runSignalsSoon(context)
}

const runSignalsSoon = (context: AppContext) =>
  context.db.transaction((tx) => context.jobs.send(tx, signalsJobs[0]!, {}))

async function waitForMoment(context: AppContext, sink: SmtpSink, moment: (typeof moments)[number]): Promise<void> {
  const [messages, read, letters] = [await countMessages(context), sink.read, sink.letters.length]
  sink.thinks = moment === 'mid-letter' ? 3000 : 20
  if (moment === 'finding') await until(async () => (await countRows(context, waitingDetection)) === 0)
  if (moment === 'queuing') await until(async () => (await countMessages(context)) > messages, 90)
  if (moment === 'mid-letter') await until(() => sink.read > read, 90)
  if (moment === 'between letters') await until(() => sink.letters.length > letters, 90)
}

/** The detectors may be done before anyone sees them run, so their moment is when no run of them waits. */
const waitingDetection = sql`pgboss.job where name = 'signals' and state in ('created', 'retry')`
const countMessages = (context: AppContext) => countRows(context, sql`messages`)
async function countRows({ db }: AppContext, from: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`select count(*)::int as n from ${from}`)
  return rows[0]!.n
}

/** Waits until everything is sent or given up. Moves time forward instead of waiting until a silent sender counts as dead. */
async function settleMessages(context: AppContext): Promise<void> {
  const untold = sql`signals cross join users where severity = 'severe' and role = 'admin' and not exists (
    select from signal_notices notice where notice.signal_id = signals.id and notice.user_id = users.id)`
  await until(async () => (await countRows(context, untold)) === 0, 90)
  await context.db.execute(sql`
    update messages set created_at = created_at - interval '5 minutes', sending_at = sending_at - interval '5 minutes'`)
  await context.db.execute(sql`update signal_notices set sent_at = sent_at - interval '5 minutes'`)
  await until(async () => {
    await messageOutbox.retry(context)
    return (await countRows(context, sql`messages where state in ('queued', 'sending')`)) === 0
  }, 90)
}

type Due = { person: string; says: string; message_state: string | null }

async function compareWithLetters(context: AppContext, { letters }: SmtpSink) {
  const { db } = context
  // A notice is written in the transaction of its message, so both have the same timestamp.
  const { rows: signals } = await db.execute<Due>(sql`
    select users.email as person, signals.title as says, messages.state as message_state
    from signals cross join users
    left join signal_notices notice on notice.signal_id = signals.id and notice.user_id = users.id
    left join messages on messages.user_id = users.id and messages.created_at = notice.sent_at
      and messages.dedupe_key like 'message:%'
    where signals.severity = 'severe' and users.role = 'admin'`)
  const { rows: tasks } = await db.execute<Due>(sql`
    select users.email as person, activity_items.note as says, messages.state as message_state
    from activity_items join users on users.id = activity_items.assignee_id
    left join messages on messages.dedupe_key = 'task:' || activity_items.id || ':' || users.id`)
  const { rows: digests } = await db.execute<Due>(sql`
    select users.email as person, ${inDigestOnly} as says, messages.state as message_state
    from users left join messages on messages.user_id = users.id and messages.dedupe_key like 'digest:%'
    where users.role = 'admin'`)
  const due = [...signals, ...tasks, ...digests]
  const told = due.map((one) => ({
    ...one,
    times: letters.filter(
      ({ to, email }) => to.includes(one.person) && `${email.subject}\n${email.text}`.includes(one.says),
    ).length,
  }))
  const name = ({ person, says }: Due) => `${person}: ${says}`
  const missing = told.filter(({ times }) => times === 0)
  return {
    due: due.length,
    letters: letters.length,
    doubled: told.filter(({ times }) => times > 1).map(name),
    lost: missing.filter(({ message_state }) => message_state !== 'uncertain').map(name),
    unseen: missing.filter(({ message_state }) => message_state === 'uncertain').length,
    uncertain: await countRows(context, sql`messages where state = 'uncertain'`),
  }
}
