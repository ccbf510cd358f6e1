import { countOf } from '#contract/count-of.ts'

/** What can be imported, each kind after those it refers to. */
export const importKinds = [
  'clients',
  'campaigns',
  'client-sites',
  'leads',
  'campaign-gmbs',
  'network-sites',
  'redirect-domains',
  'changelog',
  'admins',
  'leads-handlers',
] as const
export type ImportKind = (typeof importKinds)[number]

export const importKindTitles = {
  clients: 'Clients',
  campaigns: 'Campaigns',
  'client-sites': 'Client Sites',
  leads: 'Leads',
  'campaign-gmbs': 'Campaign GMBs',
  'network-sites': 'Network Sites',
  'redirect-domains': '301 Domains',
  changelog: 'Campaigns Changelog',
  admins: 'Admins',
  'leads-handlers': 'Leads Handlers',
} as const satisfies Record<ImportKind, string>

/** Returns the screen with the list of a kind. */
export const getListPath = (kind: ImportKind): string => otherPaths[kind] ?? `/${kind}`
const otherPaths: { [Kind in ImportKind]?: string } = { changelog: '/campaigns-changelog', admins: '/admin/pages' }

const kindNouns: Record<ImportKind, readonly [string, string]> = {
  clients: ['client', 'clients'],
  campaigns: ['campaign', 'campaigns'],
  'client-sites': ['client site', 'client sites'],
  leads: ['lead', 'leads'],
  'campaign-gmbs': ['listing', 'listings'],
  'network-sites': ['network site', 'network sites'],
  'redirect-domains': ['301 domain', '301 domains'],
  changelog: ['note', 'notes'],
  admins: ['admin', 'admins'],
  'leads-handlers': ['leads handler', 'leads handlers'],
}
/** `1 client`, `1,200 clients`. */
export const formatKindCount = (kind: ImportKind, count: number) => countOf(count, ...kindNouns[kind])

/** The states of an import; before `running` only the file is stored. */
export const importStates = ['mapping', 'checking', 'checked', 'running', 'done', 'undoing', 'undone'] as const
export type ImportState = (typeof importStates)[number]
export const importStateTitles = {
  mapping: 'Match columns',
  checking: 'Checking',
  checked: 'Checked',
  running: 'Running',
  done: 'Done',
  undoing: 'Undoing',
  undone: 'Undone',
} as const satisfies Record<ImportState, string>
/** Whether a job is working on it. */
export const isImportBusy = (state: ImportState) => state === 'checking' || state === 'running' || state === 'undoing'
/** Whether nothing has been written yet. */
export const isImportDraft = (state: ImportState) => state === 'mapping' || state === 'checking' || state === 'checked'

/** Whether a line was refused, or its row was kept by an undo. */
export const importProblemKinds = ['refused', 'kept'] as const
