import type { BenchServer } from './bench-server.ts'
import type { Case } from './cases.ts'
import { type Answer, median, medianTime, requestsPerSecond, timedGet } from './http-client.ts'
import { databaseTime, explain } from './plans.ts'

export type Read = {
  name: string
  /** Medians in milliseconds, one request at a time. */
  ours: number
  floor: number
  ratio: number
  /** Requests per second, eight at a time. */
  oursTogether: number
  floorTogether: number
  databaseMs: number
  goal: string
  met: boolean
}

/** Measures each case on both sides in turns, so that other work on the machine affects both. */
export async function measureReads(
  ours: BenchServer,
  floor: BenchServer,
  databaseUrl: string,
  cases: Case[],
  rounds: number,
): Promise<Read[]> {
  const found: Read[] = []
  for (const one of cases) {
    await comparable(ours, floor, one)
    const statements = await ours.watch(() => timedGet(ours, one.path))
    const hot = statements.filter(({ text }) => !/ from sessions /.test(text))
    await explain(databaseUrl, one.name, hot)
    const sides = [() => timedGet(ours, one.path), () => timedGet(floor, one.path)] as const
    const times = await inTurns(rounds, sides, (run) => medianTime(run))
    const rates = await inTurns(rounds, sides, (run) => requestsPerSecond(run))
    found.push(judged(one, times, rates, await databaseTime(databaseUrl, hot)))
  }
  return found
}

type Pair = readonly [ours: number, floor: number]

async function inTurns(
  rounds: number,
  [ours, floor]: readonly [() => Promise<Answer>, () => Promise<Answer>],
  measure: (run: () => Promise<Answer>) => Promise<number>,
): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round += 1) pairs.push([await measure(ours), await measure(floor)])
  return pairs
}

function judged(one: Case, times: Pair[], rates: Pair[], databaseMs: number): Read {
  const ratio = median(times.map(([ours, floor]) => ours / floor))
  const goals = [
    one.ratio === undefined ? null : { words: `at most ${one.ratio} x the floor`, met: ratio <= one.ratio },
    one.databaseMs === undefined
      ? null
      : { words: `under ${one.databaseMs} ms in the database`, met: databaseMs < one.databaseMs },
  ].filter((goal) => goal !== null)
  return {
    name: one.name,
    ours: median(times.map(([ours]) => ours)),
    floor: median(times.map(([, floor]) => floor)),
    ratio,
    oursTogether: median(rates.map(([ours]) => ours)),
    floorTogether: median(rates.map(([, floor]) => floor)),
    databaseMs,
    goal: goals.map(({ words }) => words).join(', '),
    met: goals.every(({ met }) => met),
  }
}

/** Throws if the two responses differ: a floor that returns something else would prove nothing. */
async function comparable(ours: BenchServer, floor: BenchServer, { name, path }: Case) {
  const [one, other] = await Promise.all(
    [ours, floor].map(async (side) => JSON.parse((await timedGet(side, path)).body)),
  )
  const place = firstDifference(one, other)
  if (place !== null) throw new Error(`${name}: the floor answers something else than the app, first at ${place}`)
}

function firstDifference(one: unknown, other: unknown, at = 'the answer'): string | null {
  if (!isObject(one) || !isObject(other))
    return Object.is(one, other) ? null : `${at}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = firstDifference(one[key], other[key], `${at}.${key}`)
    if (found !== null) return found
  }
  return null
}
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
