import { eq, type SQL, sql } from 'drizzle-orm'
import { endSentence } from '#contract/end-sentence.ts'
import { getErrorMessage } from '#contract/error-message.ts'
import { readActorColumns } from '#core/audit/actor-columns.ts'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { createOncePer } from '#core/once-per.ts'
import type { AppContext } from '#domains/app-context.ts'
import { getRegisteredDomain, trackDomain, untrackDomain } from '#domains/sites/checks/server/site-registration.ts'
import { type AddonDomain, CPanelClient, CPanelError } from '#integrations/cpanel/cpanel.ts'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import type { RedirectStep, RedirectStepName } from '../labels.ts'
import { redirectDomainsTable, redirectTasksTable } from '../schema.ts'

type RedirectTaskRow = typeof redirectTasksTable.$inferSelect

/** One per process: caches cPanel's domains and whether cPanel answers. */
const getClientOf = createOncePer(
  (outbound: OutboundClient, settings: AppContext['settings']) => new CPanelClient(outbound, settings),
)
const getCPanelClient = ({ outbound, settings }: AppContext) => getClientOf(outbound, settings)

/** Performs a task, or resumes one: completed steps have no effect again. */
export async function performRedirectTask(context: AppContext, taskId: number): Promise<void> {
  const [task] = await context.db.select().from(redirectTasksTable).where(eq(redirectTasksTable.id, taskId))
  if (task?.state !== 'running') return
  const work = new TaskStepRecorder(context, task)
  try {
    if (task.kind === 'add') await addRedirectDomain(context, task, work)
    else await removeRedirectDomain(context, task, work)
  } catch (error) {
    await failRedirectTask(context, task, work, error)
  }
}

/** Saves the steps of a task as they start and end. */
class TaskStepRecorder {
  readonly #context: AppContext
  readonly #task: RedirectTaskRow
  readonly steps: RedirectStep[] = []

  constructor(context: AppContext, task: RedirectTaskRow) {
    this.#context = context
    this.#task = task
  }

  async step<T>(name: RedirectStepName, act: () => Promise<T>): Promise<T> {
    const step: RedirectStep = { name, state: 'running' }
    this.steps.push(step)
    await this.#write()
    try {
      const done = await act()
      step.state = 'done'
      await this.#write()
      return done
    } catch (error) {
      step.state = 'failed'
      await this.#write()
      throw error
    }
  }

  reached(name: RedirectStepName): boolean {
    return this.steps.some((step) => step.name === name)
  }

  #write() {
    return this.#context.db
      .update(redirectTasksTable)
      .set({ steps: this.steps })
      .where(eq(redirectTasksTable.id, this.#task.id))
  }
}

async function addRedirectDomain(context: AppContext, task: RedirectTaskRow, work: TaskStepRecorder) {
  const cpanel = getCPanelClient(context)
  const addon = await work.step('domain', async (): Promise<AddonDomain> => {
    const there = await cpanel.find(task.domain)
    if (there) return there
    // Saved before anything is added, so that it is known after a crash whether the domain is ours.
    await context.db.update(redirectTasksTable).set({ was_there: false }).where(eq(redirectTasksTable.id, task.id))
    return cpanel.addDomain(task.domain)
  })
  await work.step('redirect', async () => {
    const now = await cpanel.redirectOf(task.domain)
    if (now === null) await cpanel.addRedirect(task.domain, task.redirect_url)
    else if (!isSameUrl(now, task.redirect_url)) throw new CPanelError(`cPanel already redirects this domain to ${now}`)
  })
  await context.db.transaction(async (tx) => {
    const row = { domain: task.domain, redirect_url: task.redirect_url, domainkey: addon.domainkey }
    const redirect_domain_id = await insertRedirectDomain(tx, readActorColumns(task), row)
    await endRedirectTask(tx, task.id, { state: 'done', redirect_domain_id })
  })
}

async function removeRedirectDomain(context: AppContext, task: RedirectTaskRow, work: TaskStepRecorder) {
  const cpanel = getCPanelClient(context)
  const { domain } = task
  await work.step('noRedirect', async () => {
    if ((await cpanel.redirectOf(domain)) !== null) await cpanel.removeRedirect(domain)
  })
  await work.step('noDomain', async () => {
    const there = await cpanel.find(domain)
    if (there) await cpanel.removeDomain(there)
  })
  await context.db.transaction(async (tx) => {
    await deleteRedirectDomain(tx, readActorColumns(task), eq(redirectDomainsTable.domain, domain))
    await endRedirectTask(tx, task.id, { state: 'done' })
  })
}

/** Undoes the steps of a failed task, and saves its error. */
async function failRedirectTask(context: AppContext, task: RedirectTaskRow, work: TaskStepRecorder, cause: unknown) {
  let error = describeTaskError(cause)
  try {
    await rollBackTask(context, task, work)
  } catch (second) {
    error = `${endSentence(error)} It could not be undone: ${describeTaskError(second)}`
  }
  await context.db.transaction(async (tx) => {
    await endRedirectTask(tx, task.id, { state: 'failed', error })
    if (task.kind === 'remove') await saveRedirectProblem(tx, task.domain, error)
  })
}

async function rollBackTask(
  context: AppContext,
  { id, kind, domain, redirect_url }: RedirectTaskRow,
  work: TaskStepRecorder,
) {
  const cpanel = getCPanelClient(context)
  const [now] = await context.db
    .select({ was_there: redirectTasksTable.was_there })
    .from(redirectTasksTable)
    .where(eq(redirectTasksTable.id, id))
  if (kind === 'add' && !now?.was_there && work.reached('domain'))
    await work.step('takeBack', async () => {
      const there = await cpanel.find(domain)
      if (there) await cpanel.removeDomain(there)
    })
  if (kind === 'remove' && work.reached('noDomain'))
    await work.step('takeBack', async () => {
      if ((await cpanel.find(domain)) && (await cpanel.redirectOf(domain)) === null)
        await cpanel.addRedirect(domain, redirect_url)
    })
}

const describeTaskError = (error: unknown) => {
  const message = getErrorMessage(error)
  return (error instanceof CPanelError ? message : `The request to cPanel failed: ${message}`).slice(0, 500)
}

const isSameUrl = (a: string, b: string) => URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href

export const redirectDomainAuditKind = 'redirect domain'
type NewRedirectDomain = { domain: string; redirect_url: string; domainkey: string }

/** Adds a domain that cPanel redirects. Returns its id, or null if it already existed. */
export async function insertRedirectDomain(tx: Tx, actor: AuditActor, row: NewRedirectDomain): Promise<number | null> {
  const { domain, redirect_url } = row
  const registered_domain = getRegisteredDomain(domain)
  const [made] = await tx
    .insert(redirectDomainsTable)
    .values({ ...row, registered_domain })
    .onConflictDoNothing()
    .returning({ id: redirectDomainsTable.id })
  await trackDomain(tx, registered_domain)
  if (!made) return null
  const audit = { kind: redirectDomainAuditKind, rowId: made.id, before: null, after: { domain, redirect_url } }
  await writeAudit(tx, actor, audit)
  return made.id
}

export async function deleteRedirectDomain(tx: Tx, actor: AuditActor, isIt: SQL): Promise<void> {
  const [gone] = await tx.delete(redirectDomainsTable).where(isIt).returning()
  if (!gone) return
  const { id, domain, redirect_url, registered_domain } = gone
  await untrackDomain(tx, registered_domain)
  const audit = { kind: redirectDomainAuditKind, rowId: id, before: { domain, redirect_url }, after: null }
  await writeAudit(tx, actor, audit)
}

/** Saves why cPanel did not remove the domain. */
const saveRedirectProblem = (tx: Tx, domain: string, problem: string) =>
  tx.update(redirectDomainsTable).set({ problem }).where(eq(redirectDomainsTable.domain, domain))

type TaskEnd = { state: 'done'; redirect_domain_id?: number | null } | { state: 'failed'; error: string }

const endRedirectTask = (tx: Tx, id: number, end: TaskEnd) =>
  tx
    .update(redirectTasksTable)
    .set({ ...end, ended_at: sql`now()` })
    .where(eq(redirectTasksTable.id, id))
