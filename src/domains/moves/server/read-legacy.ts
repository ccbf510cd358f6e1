import { isIP } from 'node:net'
import { cutText } from '#contract/cut-text.ts'
import { isObject } from '#contract/is-object.ts'
import { LegacyError, type LegacyRow, type LegacyServer } from '#integrations/legacy/legacy-server.ts'
import type { MovedKind, WrittenKind } from '../labels.ts'
import { readRecords, readText } from './legacy-values.ts'
import { PackedRows } from './packed-rows.ts'

/** A thing of an old system, as it was read, with what belongs to it alone. */
export type FoundThing = { kind: WrittenKind; old_id: string; label: string; payload: LegacyRow }
export type FoundSystem = {
  things: FoundThing[]
  /** The oldest first, a part at a time: there are many, so they are held packed. */
  leads: Iterable<FoundThing[]>
  lacks: Partial<Record<MovedKind, string[]>>
  counted: Partial<Record<MovedKind, number>>
}

/** Every day that an old system may have. */
export const allDays = { from: '1990-01-01', to: '2099-12-31' }
const wholeWorld = {
  'right-longitude': 180,
  'upper-latitude': 90,
  'down-latitude': -90,
  'left-longitude': -180,
}
const staff = 'admins and leads handlers'

/** What never moves, whatever the old system would give. */
const neverMoved: Partial<Record<MovedKind, string[]>> = {
  client: ['Passwords and remote tokens do not move: invite the clients'],
  admin: ['Passwords and sessions do not move: invite the admins'],
  leads_handler: ['Passwords and sessions do not move: invite the leads handlers'],
  client_site: ['Signing keys and the keys of forms do not move: each site gets a new key'],
  listing: ['Passwords of listings do not move'],
  lead: [
    'Rating keys do not move: the links of emails that the old system sent lead there',
    'Recordings stay in the old system: they play here for as long as it answers and its connection is kept',
  ],
}

type Step = { kinds: MovedKind[]; run: () => Promise<void> }

/** Reads all that moves of an old system. Throws a `LegacyError` that says why it cannot be read. */
export async function readLegacySystem(
  server: LegacyServer,
  progress: (done: number, of: number) => Promise<void>,
): Promise<FoundSystem> {
  const { row: person, name } = await server.readUser()
  const things: FoundThing[] = []
  const leads = { active: new PackedRows(), archived: new PackedRows() }
  const counted: FoundSystem['counted'] = {}
  const lacks: FoundSystem['lacks'] = structuredClone(neverMoved)
  if (person.isSuperAdmin === false || person.isSuperAdmin === 0)
    lacks.campaign = [`The token is of ${name}, who is no super admin there: only what they may see comes along`]
  const add = (
    kind: WrittenKind,
    row: LegacyRow,
    label: string | null,
    rest: LegacyRow = {},
    id = readText(row, 'id'),
  ) => things.push({ kind, old_id: id ?? '', label: label ?? `${kind} ${id}`, payload: { ...row, ...rest } })
  const count = (kind: MovedKind, more: number) => {
    counted[kind] = (counted[kind] ?? 0) + more
  }
  /** Reads what an old system may not have: a call that it does not know is named, and taken as empty. */
  const optional = async <T>(kind: MovedKind, empty: T, read: () => Promise<T>): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof LegacyError) || error.status !== 404) throw error
      const says = lacks[kind] ?? []
      if (!says.includes(error.message)) lacks[kind] = [...says, error.message]
      return empty
    }
  }
  const logsOf = async (path: string, what: string): Promise<LegacyRow[]> => {
    const logs = await optional<LegacyRow[]>('log', [], () => server.readList(path, what, { idOf: getLogId }))
    count('log', logs.length)
    return logs
  }
  const addStaff = async (kind: 'admin' | 'leads_handler', path: string, pick: (answer: LegacyRow) => unknown) => {
    for (const row of await server.readList(path, staff, { pick })) {
      const details = await server.read(`${path}/${readText(row, 'id')}`, staff)
      add(kind, row, readText(row, 'username'), { details })
    }
  }

  const steps: Step[] = [
    {
      kinds: ['network_category'],
      run: async () => {
        for (const row of await server.readList('networkcategory', 'network categories'))
          add('network_category', row, readText(row, 'name'))
      },
    },
    {
      kinds: ['category'],
      run: async () => {
        for (const row of await server.readList('campaigncategory', 'campaign categories', { query: { nopag: 1 } }))
          add('category', row, readText(row, 'name'))
      },
    },
    {
      kinds: ['client'],
      run: async () => {
        for (const row of await server.readList('client', 'clients')) add('client', row, readText(row, 'name'))
      },
    },
    {
      kinds: ['campaign', 'team'],
      run: async () => {
        const campaigns = await server.readList('campaigns', 'campaigns')
        const archived = await server.readList('campaigns/archived', 'archived campaigns')
        const options = await server.readList('campaigns/all', 'teams', {
          query: { with_teams: 1 },
          idOf: (row) => readText(row, 'key') ?? `${readText(row, 'type') ?? 'campaign'}-${readText(row, 'id')}`,
        })
        const states = new Map(
          options.filter((row) => row.type !== 'team').map((row) => [readText(row, 'id') ?? '', row]),
        )
        for (const row of options.filter(({ type }) => type === 'team')) add('team', row, readText(row, 'name'))
        const seen = new Set<string>()
        for (const row of [...archived.map((row) => ({ ...row, archived: 1 })), ...campaigns]) {
          const id = readText(row, 'id') ?? ''
          if (seen.has(id)) continue // archived while it was read
          seen.add(id)
          const hours = await optional('campaign', null, () =>
            server.read(`campaign/${id}/working-hours`, 'working hours'),
          )
          const area = await optional('campaign', null, () => server.read(`campaign/${id}/area`, 'areas of campaigns'))
          add('campaign', row, readText(row, 'name'), { hours, area, state: states.get(id) ?? null })
        }
      },
    },
    {
      kinds: ['client_site'],
      run: async () => {
        for (const row of await server.readList('clientsite', 'client sites'))
          add('client_site', row, readText(row, 'url'), {
            logs: await logsOf(`clientsite/${readText(row, 'id')}/logs`, 'logs of client sites'),
          })
      },
    },
    {
      kinds: ['listing'],
      run: async () => {
        const pins = await optional<LegacyRow[]>('listing', [], () =>
          server.readList('campaign-gmb/map', 'pins of the map', { query: wholeWorld, idOf: getPinId }),
        )
        const places = Map.groupBy(pins, (pin) => getPinName(pin))
        for (const row of await server.readList('campaign-gmb', 'listings')) {
          const own = places.get(getPinName(row)) ?? []
          add('listing', row, readText(row, 'title'), {
            // Two of one name and address: only an id says which.
            place: own.find(({ id }) => id === row.id) ?? (own.length === 1 ? own[0] : null),
            logs: await logsOf(`campaign-gmb/${readText(row, 'id')}/logs`, 'logs of listings'),
          })
        }
      },
    },
    {
      kinds: ['network_site', 'link'],
      run: async () => {
        const sites = await server.readList('networksite', 'network sites')
        const links = await optional<LegacyRow[]>('link', [], () =>
          server.readList('networksite/outgoing-links', 'outgoing links'),
        )
        count('link', links.length)
        const bySite = Map.groupBy(links, (link) => readText(link, 'network_site_id') ?? readSiteName(link))
        const urls = Map.groupBy(sites, (site) => readText(site, 'url') ?? '')
        for (const site of sites) {
          const id = readText(site, 'id') ?? ''
          const url = readText(site, 'url') ?? ''
          // Two sites with one address: only an id says whose link it is.
          const own = [...(bySite.get(id) ?? []), ...(urls.get(url)?.length === 1 ? (bySite.get(url) ?? []) : [])]
          const logs = await logsOf(`networksite/${id}/logs`, 'logs of network sites')
          add('network_site', site, url, { links: own.toSorted((a, b) => Number(a.id) - Number(b.id) || 0), logs })
        }
      },
    },
    {
      kinds: ['ip'],
      run: async () => {
        const rows = await optional<LegacyRow[]>('ip', [], () => server.readList('ip', 'IP addresses'))
        count('ip', rows.length)
        const byIp = new Map(rows.map((row) => [readText(row, 'ip') ?? '', row]))
        for (const thing of things) {
          if (thing.kind !== 'client_site' && thing.kind !== 'network_site') continue
          const ip = readSiteIp(thing.payload)
          if (ip !== null && byIp.has(ip)) thing.payload.ip_details = byIp.get(ip)
        }
      },
    },
    {
      kinds: ['redirect_domain'],
      run: async () => {
        for (const row of await server.readList('redirect_domains', '301 domains'))
          add('redirect_domain', row, readText(row, 'domain'))
      },
    },
    {
      kinds: ['admin', 'leads_handler'],
      run: async () => {
        await addStaff('admin', 'admin/admins', ({ admins }) => admins)
        await addStaff('leads_handler', 'leads-handlers', ({ users }) => users)
        // The person of the token, whose choice of columns moves.
        const own = things.find(({ kind, payload }) => kind === 'admin' && payload.username === person.username)
        if (own) own.payload.hidden_columns = person.hidden_columns
        else
          lacks.admin = [
            ...(lacks.admin ?? []),
            `The choice of columns of ${name} does not move: they are not in the list of admins there`,
          ]
      },
    },
    {
      kinds: ['keyword', 'spammer'],
      run: async () => {
        for (const keyword of findKeywords(await server.read('leads/keywords', 'keywords')))
          add('keyword', { keyword }, keyword, {}, keyword)
        for (const row of await server.readList('leads/spammers', 'spammers'))
          add('spammer', row, readText(row, 'name'))
      },
    },
    {
      kinds: ['note'],
      run: async () => {
        for (const row of await server.readList('activity-log', 'the activity log', { query: allDays }))
          add('note', row, cutText(readText(row, 'note') ?? '', 80))
      },
    },
    {
      kinds: ['lead'],
      run: async () => {
        const query = { date_from: allDays.from, date_to: allDays.to, sort: 'lead_date', order: 'desc' }
        const readInto = (rows: PackedRows, path: string, what: string) =>
          server.readInParts(path, what, { query, begin: () => rows.clear(), take: (part) => rows.add(part) })
        await readInto(leads.active, 'leads/list/data', 'leads')
        await readInto(leads.archived, 'leads/list/archived/data', 'archived leads')
      },
    },
  ]
  for (const [index, { run }] of steps.entries()) {
    await progress(index, steps.length)
    await run()
  }
  return { things, leads: { [Symbol.iterator]: () => listLeads(leads) }, lacks, counted }
}

/** Lists the leads of both lists, each from its end, so that leads of the same minute keep their order here. */
function* listLeads({ active, archived }: Record<'active' | 'archived', PackedRows>): Generator<FoundThing[]> {
  const seen = new Set<string>()
  const toThings = (rows: LegacyRow[]) =>
    rows.flatMap((payload): FoundThing | [] => {
      const id = readText(payload, 'id') ?? ''
      if (seen.has(id)) return [] // archived while it was read
      seen.add(id)
      const label = readText(payload, 'lead_name') ?? readText(payload, 'lead_phone') ?? `Lead ${id}`
      return { kind: 'lead', old_id: id, label, payload }
    })
  for (const rows of archived.listBackwards()) yield toThings(rows.map((row) => ({ ...row, archived: 1 })))
  for (const rows of active.listBackwards()) yield toThings(rows)
}

/** A log has an id, or else is told by its moment and value. */
const getLogId = (row: LegacyRow): string =>
  readText(row, 'id') ?? JSON.stringify([row.created_at, row.status ?? row.changed, row.old, row.new])

/** A pin of the map may have no id. */
const getPinName = (row: LegacyRow): string => JSON.stringify([row.title, row.address])
const getPinId = (row: LegacyRow): string => readText(row, 'id') ?? getPinName(row)

const readSiteName = (link: LegacyRow): string =>
  readText(link, 'network_site') ?? (isObject(link.network_site) ? (readText(link.network_site, 'id') ?? '') : '')

/** `ip` of a site is a text, or an object that has it. */
export function readSiteIp(site: LegacyRow): string | null {
  const ip = readText(site, 'ip') ?? (isObject(site.ip) ? readText(site.ip, 'ip') : null)
  return ip !== null && isIP(ip) !== 0 ? ip : null
}

/** The blacklist: a text with a keyword a line, or items that have one. */
export function findKeywords(answer: unknown): string[] {
  const rows = Array.isArray(answer) ? answer.filter(isObject) : isObject(answer) ? readRecords(answer, 'keywords') : []
  const text = typeof answer === 'string' ? answer : isObject(answer) ? (readText(answer, 'keywords') ?? '') : ''
  const found = [...rows.map((row) => readText(row, 'keyword') ?? ''), ...text.split(/\r\n|\r|\n/)]
  return [...new Set(found.map((one) => one.trim()).filter((one) => one !== ''))]
}
