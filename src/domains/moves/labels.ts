export const moveStates = ['reading', 'ready', 'writing', 'done', 'undoing', 'undone', 'failed'] as const
type MoveState = (typeof moveStates)[number]
const moveStateTitles: Record<MoveState, string> = {
  reading: 'Making the plan',
  ready: 'Plan',
  writing: 'Moving',
  done: 'Moved',
  undoing: 'Undoing',
  undone: 'Undone',
  failed: 'No plan',
}
/** In these a job is at work, or has halted. */
export const busyMoveStates: readonly MoveState[] = ['reading', 'writing', 'undoing']
export const isMoving = (state: MoveState): boolean => busyMoveStates.includes(state)

/** Whether its job has stopped with a reason, and a person has to let it go on. A plan that is being read only says what it waits for. */
export const isHalted = (state: MoveState, reason: string | null): boolean =>
  (state === 'writing' || state === 'undoing') && reason !== null

export const describeMoveState = ({ state, says }: { state: MoveState; says: string | null }): string =>
  isHalted(state, says) ? 'Stopped' : moveStateTitles[state]

/** What a plan lists one by one, in the order in which it is written. */
export const listedKinds = [
  'network_category',
  'category',
  'team',
  'client',
  'campaign',
  'client_site',
  'listing',
  'network_site',
  'redirect_domain',
  'admin',
  'leads_handler',
  'keyword',
  'spammer',
  'callrail_company',
] as const
export type ListedKind = (typeof listedKinds)[number]

/** What a plan only counts. Notes and leads are written after everything that they belong to. */
const countedKinds = ['note', 'lead', 'link', 'ip', 'log'] as const
export const movedKinds = [...listedKinds, ...countedKinds] as const
export type MovedKind = (typeof movedKinds)[number]
/** The kinds that are rows of a plan; links, IP addresses and logs come with their site or listing. */
export type WrittenKind = ListedKind | 'note' | 'lead'

export const movedKindLabels: Record<MovedKind, string> = {
  network_category: 'Network categories',
  category: 'Campaign categories',
  team: 'Teams',
  client: 'Clients',
  campaign: 'Campaigns',
  client_site: 'Client sites',
  listing: 'Listings',
  network_site: 'Network sites',
  redirect_domain: '301 domains',
  admin: 'Admins',
  leads_handler: 'Leads handlers',
  keyword: 'Blacklist keywords',
  spammer: 'Spammers',
  callrail_company: 'CallRail companies',
  note: 'Activity log items',
  lead: 'Leads',
  link: 'Outgoing links',
  ip: 'IP addresses',
  log: 'Status and listing logs',
}

/** What becomes of a thing of the old system. */
export const itemOutcomes = ['new', 'same', 'ask'] as const
export type ItemOutcome = (typeof itemOutcomes)[number]
/** Why a thing here is taken for the same, the surest first. */
export const linkLevels = ['moved', 'id', 'domain', 'phone', 'name'] as const
export type LinkLevel = (typeof linkLevels)[number]

/** How far accepting has got with an item. */
export const itemStates = ['open', 'written', 'kept', 'skipped', 'removed'] as const
