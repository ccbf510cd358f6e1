import { type SmtpSink, startSmtpSink } from '#integrations/fakes/smtp.ts'
import { until } from '#test/until.ts'
import { DrillApp } from './drill-app.ts'
import { Posts } from './posts.ts'

/**
 * The kinds of failure: the app killed at any moment, or while the mail server has read a mail and not answered yet;
 * PostgreSQL killed; PostgreSQL stopped immediately.
 */
export type Violence = 'kill the app' | 'kill the app mid-mail' | 'kill PostgreSQL' | 'restart PostgreSQL'

export type Kills = {
  posts: number
  /** Posts that got no 2xx and were sent again. */
  sentAgain: number
  /** Lost and duplicated leads; mails that arrived, and how many of them twice; leads without exactly one mail. */
  lost: number
  duplicated: number
  letters: number
  lettersTwice: number
  mailsLost: number
  /** The number of mails in each state. */
  sent: number
  uncertain: number
  open: number
  /** Longest time in seconds until `/readyz` returned 200 again, by kind of failure. */
  back: Partial<Record<Violence, number>>
  /** Seconds from the last post until every event was a lead. */
  drained: number
}

/**
 * Sends signed calls, each of which makes a lead and a mail, while the process and its PostgreSQL are killed. Nothing that
 * was accepted may be lost or duplicated, and no mail may arrive twice.
 */
export async function kills(
  posts: number,
  violence: Violence[],
  { say = (_line: string) => {}, lastly = async (_place: DrillApp) => {} } = {},
): Promise<Kills> {
  const sink = await startSmtpSink()
  sink.thinks = usualThinking
  const place = new DrillApp({ SMTP_URL: sink.url })
  try {
    await place.start()
    await place.open()
    const sent = new Posts(posts, `KILL${process.pid}`)
    const sending = sent.send(() => place.url, 8)
    const back: Kills['back'] = {}
    for (const [index, what] of violence.entries()) {
      await until(() => sent.accepted > ((index + 1) * posts) / (violence.length + 2), 120)
      const seconds = await strike(place, sink, what)
      back[what] = Math.max(back[what] ?? 0, seconds)
      say(`${what} ${index + 1}/${violence.length}: ${sent.accepted} accepted, back in ${seconds.toFixed(1)} s`)
    }
    await sending
    const drained = await secondsUntil(() => place.hasReadHooks())
    say(`every event is processed, ${drained.toFixed(1)} s after the last post`)
    await lastly(place)
    return { posts, sentAgain: sent.failed, back, drained, ...(await counted(place, sink, sent)) }
  } finally {
    await place.close()
    await sink.close()
  }
}

/** Returns the seconds from the failure until writes work again. */
async function strike(place: DrillApp, sink: SmtpSink, what: Violence): Promise<number> {
  if (what === 'kill the app mid-mail') await midMail(sink)
  const began = performance.now()
  if (what === 'kill the app' || what === 'kill the app mid-mail') {
    await place.stop('SIGKILL')
    await place.start()
  } else {
    const before = place.postmaster
    process.kill(before, what === 'kill PostgreSQL' ? 'SIGKILL' : 'SIGINT')
    await until(() => ![0, before].includes(place.postmaster))
  }
  await place.ready()
  return (performance.now() - began) / 1000
}

async function midMail(sink: SmtpSink) {
  sink.thinks = 3000
  const before = sink.read
  await until(() => sink.read > before, 120)
  sink.thinks = usualThinking
}

const usualThinking = 20

const openMails = `select count(*) from mails where state in ('queued', 'handing')`

/** Waits until every mail is sent or uncertain: a killed worker's job is leased for 45 s, a silent handing for 2 minutes. */
export async function mailsAreOut(place: DrillApp): Promise<void> {
  await until(async () => (await place.number(openMails)) === 0, 600)
}

async function counted(place: DrillApp, sink: SmtpSink, { leads }: Posts) {
  const rows = await place.query<{ lead: string; count: number; mails: number }>(
    `select leads.lead_id as lead, count(distinct leads.id)::int as count, count(mails.id)::int as mails
     from leads left join mails on mails.lead_id = leads.id group by 1`,
  )
  const found = new Map(rows.map((row) => [row.lead, row]))
  const letters = new Map<string, number>()
  for (const { email } of sink.letters)
    letters.set(email.messageId ?? '', (letters.get(email.messageId ?? '') ?? 0) + 1)
  return {
    lost: leads.filter((lead) => !found.has(lead)).length,
    duplicated: rows.filter(({ count }) => count > 1).length,
    letters: sink.letters.length,
    lettersTwice: [...letters.values()].filter((count) => count > 1).length,
    mailsLost: rows.filter(({ mails }) => mails !== 1).length,
    sent: await place.number(`select count(*) from mails where state = 'sent'`),
    uncertain: await place.number(`select count(*) from mails where state = 'uncertain'`),
    open: await place.number(openMails),
  }
}

async function secondsUntil(isSo: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  await until(isSo, 120)
  return (performance.now() - began) / 1000
}
