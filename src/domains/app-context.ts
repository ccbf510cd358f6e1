import type { ApiContract } from '#contract/endpoint.ts'
import type { CoreContext } from '#core/core-context.ts'
import type { DbOrTx } from '#core/db/db.ts'
import * as http from '#core/http/handle.ts'
import type * as jobs from '#core/jobs/jobs.ts'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import type { SmtpMailer } from '#integrations/smtp/smtp.ts'
import type { ObjectStore } from '#integrations/storage/storage.ts'
import type { CurrentUser } from './access/server/current-user.ts'
import type { AppSettings } from './app-settings.ts'
import type { HookJournal } from './leads/hook-journal/server/hook-journal.ts'
import type { EventInbox } from './leads/intake/server/inbox.ts'

/** The context passed to the handlers and jobs of every domain. The app creates one at startup; each test creates its own. */
export type AppContext = CoreContext & {
  settings: AppSettings
  mailer: SmtpMailer<DbOrTx>
  store: ObjectStore
  /** The client for requests to hosts that users specify. */
  outbound: OutboundClient
  /** Where hooks store incoming events. */
  inbox: EventInbox
  /** Where hooks store incoming events while the database is down. */
  hookJournal: HookJournal
  /** Running background work of this process, besides jobs. */
  workers: BackgroundWorker[]
}

/** Work of a process until it is stopped. */
export type BackgroundWorker = { stop(): Promise<void> }

/** The argument of a handler: the caller, the parsed input, and the context. */
export type EndpointCall<E> = http.EndpointCall<E, CurrentUser, AppContext>
export type ImplementedEndpoint = http.ImplementedEndpoint
export type JobDefinition<Data extends object = object> = jobs.JobDefinition<Data, AppContext>

/** Binds each call of a contract to its handler; a missing handler does not compile. */
export const implementContract = <C extends ApiContract>(
  contract: C,
  handlers: http.ContractHandlers<C, CurrentUser, AppContext>,
): ImplementedEndpoint[] => http.implementContract(contract, handlers)

/** Lets a list hold jobs with different data. */
export const defineJob = <Data extends object = Record<string, never>>(
  definition: JobDefinition<Data>,
): JobDefinition<Data> => definition
