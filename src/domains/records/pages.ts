import type { AccessRule } from '#contract/allow.ts'
import { signedIn } from '#contract/allow.ts'
import { leadDetailContract } from '#domains/leads/detail/contract.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { networkSitesContract } from '#domains/sites/network/contract.ts'
import { recordsContract } from './contract.ts'

/** The pages of single things, and who may open them. */
export const recordPages = {
  campaign: { path: '/campaign/$id', allow: signedIn },
  client: { path: '/client/$id', allow: recordsContract.client.allow },
  client_site: { path: '/site/client/$id', allow: clientSitesContract.get.allow },
  network_site: { path: '/site/network/$id', allow: networkSitesContract.get.allow },
  listing: { path: '/listing/$id', allow: gmbsContract.get.allow },
  lead: { path: '/lead/$id', allow: leadDetailContract.read.allow },
} as const satisfies Record<string, { path: string; allow: AccessRule }>
export type RecordKind = keyof typeof recordPages

export const buildRecordPath = (kind: RecordKind, id: number) => recordPages[kind].path.replace('$id', String(id))
