import type { ApiContract } from '#contract/endpoint.ts'
import type { CoreContext } from '#core/core-context.ts'
import * as http from '#core/http/handle.ts'
import type * as jobs from '#core/jobs/jobs.ts'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import type { SmtpMailer } from '#integrations/smtp/smtp.ts'
import type { ObjectStore } from '#integrations/storage/storage.ts'
import type { CurrentUser } from './access/server/current-user.ts'
import type { HookJournal } from './leads/hook-journal/server/hook-journal.ts'
import type { EventInbox } from './leads/intake/server/inbox.ts'

/** What handlers and jobs of every domain are given. Made once at start by the app; tests make one each. */
export type AppContext = CoreContext & {
  mailer: SmtpMailer
  store: ObjectStore
  /** The way to hosts that other people name. */
  outbound: OutboundClient
  /** Where hooks put what they are sent. */
  inbox: EventInbox
  /** Where they put it while the database is away. */
  hookJournal: HookJournal
  /** What this process works on besides jobs, while it does. */
  workers: { stop(): Promise<void> }[]
}

/** What a handler gets: who asks, what they sent (parsed), and the context. */
export type EndpointCall<E> = http.EndpointCall<E, CurrentUser, AppContext>
export type ImplementedEndpoint = http.ImplementedEndpoint
export type JobDefinition<Data extends object = object> = jobs.JobDefinition<Data, AppContext>

/** Binds each call of a contract to its handler; one left out does not compile. */
export const implementContract = <C extends ApiContract>(
  contract: C,
  handlers: http.ContractHandlers<C, CurrentUser, AppContext>,
): ImplementedEndpoint[] => http.implementContract(contract, handlers)

/** Lets a list hold jobs of different data. */
export const defineJob = <Data extends object = Record<string, never>>(
  definition: JobDefinition<Data>,
): JobDefinition<Data> => definition
