import type { ItemOutcome, LinkLevel, ListedKind } from '../labels.ts'

/** By what a thing is compared with others of its kind. */
export type LinkKeys = {
  /** Ids that mean the same in both systems, with their name in a reason: "CallRail Company ID". */
  ids: { name: string; value: string }[]
  domains: string[]
  /** As `toPhoneKey`. */
  phones: string[]
  /** Folded; empty if things of this kind are not told by their names. */
  name: string
  /** Folded names that another system has for it. */
  otherNames?: string[]
  city: string | null
}
export type PlannedThing = LinkKeys & { key: string; kind: ListedKind; connection_id: number; moved: number | null }
export type HereThing = LinkKeys & {
  /** The row here, or the key of an item of the same plan that another system brings. */
  id: number | string
  kind: ListedKind
  label: string
  labelKind: string
  labelKinds: string
}

type PlannedOption = { id: number | string; label: string; reason: string }
export type PlannedLink = {
  becomes: ItemOutcome
  to: { id: number | string; label: string } | null
  by: LinkLevel | null
  reason: string
  options: PlannedOption[]
}

/** How one level finds things here: the values of a thing, and the words of the reason. */
type Level = {
  by: LinkLevel
  valuesOf: (keys: LinkKeys) => { value: string; says: string; tie: string }[]
}

const levels: Level[] = [
  {
    by: 'id',
    valuesOf: ({ ids }) =>
      ids.map(({ name, value }) => ({ value: `${name} ${value}`, says: `Same ${name}`, tie: `have this ${name}` })),
  },
  {
    by: 'domain',
    valuesOf: ({ domains }) =>
      domains.map((value) => ({ value, says: `Same domain ${value}`, tie: `have the domain ${value}` })),
  },
  {
    by: 'phone',
    valuesOf: ({ phones }) =>
      phones.map((value) => ({
        value,
        says: `Same phone ${formatShortPhone(value)}`,
        tie: `have the phone ${formatShortPhone(value)}`,
      })),
  },
  {
    by: 'name',
    valuesOf: (keys) =>
      keys.city === null
        ? []
        : listNames(keys).map((name) => ({
            value: `${name}, ${keys.city}`,
            says: 'Same name and city',
            tie: 'have this name and city',
          })),
  },
  {
    by: 'name',
    valuesOf: (keys) => listNames(keys).map((value) => ({ value, says: 'Same name', tie: 'have this name' })),
  },
]

const listNames = ({ name, otherNames = [] }: LinkKeys): string[] =>
  [...new Set([name, ...otherNames])].filter((one) => one !== '')

/** `512-555-0142` for an American number. */
const formatShortPhone = (key: string): string => key.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '$1-$2-$3')

const counts = ['', '', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']
const countWord = (count: number) => counts[count] ?? String(count)

/**
 * Decides what each found thing becomes: what was moved earlier is known; otherwise the strongest level that finds something here
 * decides, and takes the one thing that it finds. Of several, the one that the weaker levels leave is taken; otherwise it is asked. Two
 * things of one system never become the same thing unasked, but companies of CallRail that are known by their ids: a campaign has one for
 * each of its sites.
 */
export function planLinks(found: readonly PlannedThing[], here: readonly HereThing[]): Map<string, PlannedLink> {
  const index = indexThings(here)
  const links = new Map(found.map((thing) => [thing.key, planLink(thing, index)]))
  const claims = Map.groupBy(
    found.filter(({ key }) => links.get(key)!.to !== null),
    ({ key, kind, connection_id }) => `${connection_id} ${kind} ${links.get(key)!.to!.id}`,
  )
  for (const rivals of claims.values()) if (rivals.length > 1) settleRivals(rivals, links)
  return links
}

type ThingIndex = { byId: Map<string, HereThing>; byValue: Map<string, Set<HereThing>> }

function indexThings(here: readonly HereThing[]): ThingIndex {
  const byValue = new Map<string, Set<HereThing>>()
  for (const thing of here)
    for (const [at, { valuesOf }] of levels.entries())
      for (const { value } of valuesOf(thing)) {
        const key = `${thing.kind} ${at} ${value}`
        byValue.set(key, (byValue.get(key) ?? new Set()).add(thing))
      }
  return { byId: new Map(here.map((thing) => [`${thing.kind} ${thing.id}`, thing])), byValue }
}

function planLink(thing: PlannedThing, { byId, byValue }: ThingIndex): PlannedLink {
  const known = thing.moved === null ? undefined : byId.get(`${thing.kind} ${thing.moved}`)
  if (known) return toSame(known, 'moved', 'Moved earlier')
  const found = levels.map(({ by, valuesOf }, at) => {
    const values = valuesOf(thing)
    const hits = values.map((value) => ({
      ...value,
      things: [...(byValue.get(`${thing.kind} ${at} ${value.value}`) ?? [])],
    }))
    return { by, hits, things: new Set(hits.flatMap(({ things }) => things)) }
  })
  const first = found.findIndex(({ things }) => things.size > 0)
  if (first === -1) return { becomes: 'new', to: null, by: null, reason: 'Nothing here is the same', options: [] }
  const { by, things, hits } = found[first]!
  const saysOf = (one: HereThing) => hits.find((hit) => hit.things.includes(one))!.says
  const [only, ...others] = things
  if (only && others.length === 0) return toSame(only, by, saysOf(only))
  let left = [...things]
  for (const weaker of found.slice(first + 1)) {
    const both = left.filter((one) => weaker.things.has(one))
    if (both.length > 0) left = both
    const [one] = both
    if (one && both.length === 1) {
      const says = weaker.hits.find((hit) => hit.things.includes(one))!.says
      return toSame(one, by, `${saysOf(one)}, ${says.charAt(0).toLowerCase()}${says.slice(1)}`)
    }
  }
  const tie = hits.find((hit) => hit.things.length > 1) ?? hits[0]!
  return {
    becomes: 'ask',
    to: null,
    by,
    reason: `${countWord(things.size)} ${only!.labelKinds} ${tie.tie}`,
    options: [...things].map((one) => ({ id: one.id, label: one.label, reason: saysOf(one) })),
  }
}

const toSame = ({ id, label }: HereThing, by: LinkLevel, reason: string): PlannedLink => ({
  becomes: 'same',
  to: { id, label },
  by,
  reason,
  options: [{ id, label, reason }],
})

/** Several things of one system are linked to one thing here: the one with the surest link keeps it, the others are asked. */
function settleRivals(rivals: readonly PlannedThing[], links: Map<string, PlannedLink>) {
  const strengthOf = ({ key }: PlannedThing) => ['moved', 'id', 'domain', 'phone', 'name'].indexOf(links.get(key)!.by!)
  const best = Math.min(...rivals.map(strengthOf))
  const winners = rivals.filter((one) => strengthOf(one) === best)
  for (const rival of rivals) {
    if (winners.length === 1 && rival === winners[0]) continue
    const { to, options, by } = links.get(rival.key)!
    const isCompany = rival.kind === 'callrail_company'
    if (isCompany && (by === 'moved' || by === 'id')) continue
    const whose = isCompany ? 'companies of CallRail' : 'of the old system'
    const reason = `${countWord(rivals.length)} ${whose} may be ${to!.label}`
    links.set(rival.key, { becomes: 'ask', to: null, by, reason, options })
  }
}
