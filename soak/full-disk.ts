import { setTimeout as pause } from 'node:timers/promises'
import { until } from '#test/until.ts'
import { DrillApp } from './drill-app.ts'
import { Posts } from './posts.ts'
import { smallDisk } from './small-disk.ts'

export type FullDisk = {
  seconds: number
  /** The responses to webhooks while the disk was full, with their counts. */
  statuses: [number, number][]
  /** Seconds until `/readyz` returned 503 after the disk was full, and 200 after space was freed. */
  noticed: number
  back: number
  accepted: number
  lost: number
  duplicated: number
}

/**
 * Fills the disk under the whole data directory for that many seconds while calls come in. Returns a reason if this machine
 * has no disk to fill.
 */
export async function fullDisk(seconds: number, say: (line: string) => void = () => {}): Promise<FullDisk | string> {
  const disk = smallDisk(400)
  if (typeof disk === 'string') return disk
  const place = new DrillApp({}, disk.folder)
  try {
    await place.start()
    await place.open()
    const sent = new Posts(100_000, `DISK${process.pid}`)
    const sending = sent.send(() => place.url, 4)
    for (let times = 0; times < 20; times += 1) await place.ready() // as if a proxy had polled for hours
    await until(() => sent.accepted > 50)
    disk.fill()
    const full = performance.now()
    const noticed = await until(async () => (await place.status()) === 503, seconds + 60).then(() => since(full))
    say(`full; /readyz says 503 after ${noticed.toFixed(1)} s, ${sent.accepted} accepted`)
    sent.statuses.clear()
    if ((await place.status('/healthz')) !== 200) throw new Error('The process itself must stay healthy')
    await until(() => sent.statuses.has(503)) // on a busy machine an answer takes longer than a short outage
    await pause(seconds * 1000)
    if ((await place.status()) !== 503) throw new Error('/readyz says that writes work while the disk is full')
    const statuses = [...sent.statuses]
    disk.free()
    const freed = performance.now()
    await place.ready()
    const back = since(freed)
    say(`room again; /readyz says 200 after ${back.toFixed(1)} s`)
    const before = sent.accepted
    await until(() => sent.accepted > before + 50)
    sent.stop()
    await sending
    await until(() => place.hasReadHooks())
    const leads = await place.query<{ lead: string; count: number }>(
      'select lead_id as lead, count(*)::int as count from leads group by 1',
    )
    const found = new Set(leads.map(({ lead }) => lead))
    return {
      seconds,
      statuses,
      noticed,
      back,
      accepted: sent.accepted,
      lost: [...sent.acceptedLeads].filter((lead) => !found.has(lead)).length,
      duplicated: leads.filter(({ count }) => count > 1).length,
    }
  } finally {
    await place.close().catch(() => {})
    disk.remove()
  }
}

const since = (moment: number) => (performance.now() - moment) / 1000
