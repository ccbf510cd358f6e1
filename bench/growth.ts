import { handlerFlags } from '#contract/allow.ts'
import { type BenchServer, startBenchServer } from './bench-server.ts'
import { day } from './cases.ts'
import { type Database, openDatabase, withClient } from './database.ts'
import { type Answer, closeConnections, median, medianTime, type Target, timedGet, timedPost } from './http-client.ts'
import { measureIntake } from './intake.ts'
import { keep } from './page.ts'
import { measurePeer, type Peer } from './peer.ts'
import { printGrowth } from './report.ts'
import { rare } from './seed.ts'
import { hire, removeStaff } from './staff.ts'

/**
 * npm run bench -- --only growth [--sizes 10000,100000,1000000,10000000]: the same queries on agencies with the same last month and
 * more and more leads before it. Queries of only that month must cost the same in all of them.
 */
export type Grown = {
  name: string
  /** Medians in `unit`, one per size. */
  values: number[]
  unit: 'ms' | 'ms for ten'
  /** 0 does not grow with the table, 1 grows linearly with it. */
  exponent: number
  /** Upper limit of the exponent; null for queries of all leads. */
  goal: number | null
}
/** `peer` is measured on the largest agency. */
export type Growth = { date: string; sizes: number[]; rounds: number; rows: Grown[]; peer: Peer }

type House = { size: number; database: Database; ours: BenchServer; handler: Target }
type Question = { name: string; goal: number | null; ask(context: House): Promise<Answer> }

const most = 0.1
const month = `date_from=${day(30)}&date_to=${day(0)}`
const page = (number: number) => `page=${number}&per_page=50&sort=lead_date&order=desc`
const get =
  (path: string) =>
  ({ ours }: House) =>
    timedGet(ours, path)

const campaigns = '/api/campaigns?page=1&per_page=50&sort=due_date&order=asc'

const questions: Question[] = [
  { name: 'list, a month', goal: most, ask: get(`/api/leads/list/data?${page(1)}&${month}`) },
  {
    name: 'list, a month, of a handler with 20 campaigns',
    goal: most,
    ask: ({ handler }) => timedGet(handler, `/api/leads/list/data?${page(1)}&${month}`),
  },
  { name: 'list, a month, page 101', goal: most, ask: get(`/api/leads/list/data?${page(101)}&${month}`) },
  {
    name: 'search, one word, a month',
    goal: most,
    ask: get(`/api/leads/list/data?${page(1)}&${month}&lead_search=leak`),
  },
  {
    // Words that find a full page at each size: a search that finds nothing skips half of the work.
    name: 'search, two words, a month',
    goal: most,
    ask: get(`/api/leads/list/data?${page(1)}&${month}&lead_search=leak+ceiling`),
  },
  {
    name: 'search of a name, all years',
    goal: most,
    ask: get(`/api/leads/list/data?${page(1)}&lead_search=${rare.words}`),
  },
  { name: 'related leads of one', goal: most, ask: askRelated },
  { name: 'statistics, a month', goal: most, ask: get(`/api/leads/list/statistic?${month}`) },
  { name: 'statistics, all years', goal: most, ask: get('/api/leads/list/statistic?') },
  { name: 'list, all years', goal: most, ask: get(`/api/leads/list/data?${page(1)}`) },
  { name: 'list, all years, page 181', goal: most, ask: get(`/api/leads/list/data?${page(181)}`) },
  { name: 'list, all years, verified', goal: most, ask: get(`/api/leads/list/data?${page(1)}&confirmed=1`) },
  { name: 'chart, a year by week', goal: most, ask: get('/api/lead/chart/total') },
  { name: 'chart, all years by week', goal: most, ask: ({ ours }) => timedPost(ours, '/api/lead/chart', eightYears) },
  { name: 'table, a year by week', goal: most, ask: get('/api/lead/table') },
  { name: 'campaigns with summaries', goal: most, ask: get(campaigns) },
  // These still read the leads.
  {
    name: 'list, all years, verified with a value',
    goal: null,
    ask: get(`/api/leads/list/data?${page(1)}&confirmed=1&value=1`),
  },
  { name: 'list, all years, two tags', goal: null, ask: get(`/api/leads/list/data?${page(1)}&tags=Spam,Duplicate`) },
  { name: 'statistics, all years, verified', goal: null, ask: get('/api/leads/list/statistic?confirmed=1') },
  {
    name: 'statistics, all years, with a value',
    goal: null,
    ask: get('/api/leads/list/statistic?value=1'),
  },
]
const eightYears = { group: 'week', date_from: day(8 * 365) }

export async function measureGrowth(sizes: number[], rounds: number): Promise<void> {
  const houses: House[] = []
  try {
    for (const size of sizes) {
      const database = await openDatabase(size, 'steady')
      const ours = await startBenchServer('ours', database.url)
      houses.push({ size, database, ours, handler: await hireHandler(database, ours) })
    }
    const rows: Grown[] = []
    for (const { name, goal, ...question } of questions) {
      const values = await inTurns(question.ask, houses, rounds)
      rows.push({ name, values, unit: 'ms', exponent: exponentOf(sizes, values), goal })
    }
    const values = await intake(houses, rounds)
    const stored = {
      name: 'hook events stored',
      unit: 'ms for ten',
      exponent: exponentOf(sizes, values),
      goal: most,
    } as const
    rows.push({ ...stored, values })
    const largest = houses.at(-1)!
    const peer = await measurePeer(largest.ours, largest.database, rounds)
    const found: Growth = { date: new Date().toISOString().slice(0, 10), sizes, rounds, rows, peer }
    printGrowth(found)
    keep('growth', found)
  } finally {
    closeConnections()
    for (const { ours, database } of houses) {
      await ours.stop()
      await database.stop()
    }
  }
}

const hireHandler = ({ url }: Database, ours: BenchServer) =>
  withClient(url, async (client) => {
    await removeStaff(client)
    const handler = { role: 'leads_handler', count: 1, campaigns: 20, permissions: handlerFlags }
    return (await hire(client, ours.url, [handler]))[0]!
  })

/** Measures every size in each round, so that other work on the machine affects all of them. */
async function inTurns(asked: Question['ask'], houses: House[], rounds: number): Promise<number[]> {
  const times = houses.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [at, context] of houses.entries())
      times[at]!.push(await medianTime(() => asked(context), { most: 60, ms: 2000 }))
  return times.map(median)
}

async function intake(houses: House[], rounds: number): Promise<number[]> {
  const found: number[] = []
  for (const { ours, database } of houses) {
    const { ours: rate, answered, became } = await measureIntake(ours, database, rounds)
    if (answered !== became) throw new Error(`${answered - became} hook events were lost`)
    found.push(10_000 / rate)
  }
  return found
}

const relatedOf = new WeakMap<House, number>()
async function askRelated(context: House): Promise<Answer> {
  const known = relatedOf.get(context)
  const id =
    known ??
    (await withClient(context.database.url, async (client) => {
      const { rows } = await client.query<{ id: number }>('select max(id) as id from leads where phone_key = $1', [
        rare.phone,
      ])
      return rows[0]!.id
    }))
  relatedOf.set(context, id)
  return timedGet(context.ours, `/api/lead/${id}/related?page=1&per_page=50`)
}

/** Returns the slope in a log-log plot. */
export function exponentOf(sizes: number[], values: number[]): number {
  const [xs, ys] = [sizes.map(Math.log), values.map(Math.log)]
  const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
  const [x0, y0] = [mean(xs), mean(ys)]
  const products = xs.map((x, at) => (x - x0) * (ys[at]! - y0))
  const squares = xs.map((x) => (x - x0) ** 2)
  return mean(products) / mean(squares)
}
