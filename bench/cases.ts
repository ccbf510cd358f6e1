/** A measured request, which both sides get, with its goals. */
export type Case = {
  name: string
  path: string
  /** At most this many times the floor's time. */
  ratio?: number
  /** At most this many milliseconds in the database. */
  databaseMs?: number
}

/** Returns the day that many days ago. */
export const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
const month = `date_from=${day(30)}&date_to=${day(0)}`
const year = `date_from=${day(365)}&date_to=${day(0)}`
const page = (number: number) => `page=${number}&per_page=50&sort=lead_date&order=desc`
const list = (query: string) => `/api/leads/list/data?${query}`
const statistic = (query: string) => `/api/leads/list/statistic?${query}`

export const cases: Case[] = [
  { name: 'list, a month', path: list(`${page(1)}&${month}`), ratio: 1.1 },
  { name: 'list, all years, page 1001', path: list(page(1001)), ratio: 1.5 },
  { name: 'search, two words, a month', path: list(`${page(1)}&${month}&lead_search=martinez+leak`), databaseMs: 50 },
  { name: 'search, two words, all years', path: list(`${page(1)}&lead_search=martinez+leak`), databaseMs: 50 },
  { name: 'search, two common words, all years', path: list(`${page(1)}&lead_search=leak+ceiling`), databaseMs: 50 },
  {
    name: 'search, spelled with accents and full-width letters, all years',
    path: list(`${page(1)}&lead_search=${encodeURIComponent('Martínez ｌéａｋ')}`),
    databaseMs: 50,
  },
  { name: 'statistics, a month', path: statistic(month), ratio: 1.2 },
  { name: 'statistics, a year', path: statistic(year), ratio: 1.5 },
  { name: 'statistics, all years', path: statistic(''), ratio: 1.5 },
]
