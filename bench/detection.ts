import { evaluateSilence } from '#domains/insights/public.ts'

/** The cost of the silence model per hour, in milliseconds of one core. */
export type Detection = { sources: number; leads: number; cpuMs: number; met: boolean }

const days = 240
const goalMs = 5000

/** Evaluates eight months of 5,000 sources, between a lead a week and seven a day, as the runner does every hour. */
export async function measureDetection(sources = 5000): Promise<Detection> {
  const now = Date.UTC(2026, 2, 2, 15)
  const histories = Array.from({ length: sources }, (_, index) => {
    const mean = (86_400_000 * 7) / 1.6 ** (index % 9)
    let at = now - days * 86_400_000
    // Spread without random numbers: the same agency in each run.
    const leads = Array.from({ length: Math.floor((days * 86_400_000) / mean) }, (_lead, nth) => {
      at += mean * (0.5 + ((index * 31 + nth * 17) % 101) / 101)
      return at
    }).filter((lead) => lead < now)
    return { id: `${index}/callrail`, category: `Trade ${index % 8}`, leads }
  })
  const before = process.cpuUsage()
  await evaluateSilence(histories, now, 'America/New_York')
  const { user, system } = process.cpuUsage(before)
  const cpuMs = (user + system) / 1000
  const leads = histories.reduce((sum, { leads: own }) => sum + own.length, 0)
  return { sources, leads, cpuMs, met: cpuMs < goalMs }
}
