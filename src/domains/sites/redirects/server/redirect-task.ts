import { eq, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { AppContext } from '#domains/app-context.ts'
import { getRegisteredDomain, trackDomain, untrackDomain } from '#domains/sites/checks/server/site-registration.ts'
import { type AddonDomain, CPanelClient, CPanelError } from '#integrations/cpanel/cpanel.ts'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import type { RedirectStep, RedirectStepName } from '../labels.ts'
import { redirectDomainsTable, redirectTasksTable } from '../schema.ts'

export const redirectDomainAuditKind = 'redirect domain'
type RedirectTaskRow = typeof redirectTasksTable.$inferSelect

/** One for a process: it remembers what this host's cPanel knows, and whether it answers. */
const cPanelClients = new WeakMap<OutboundClient, CPanelClient>()
function getCPanelClient({ outbound, settings }: AppContext): CPanelClient {
  const found = cPanelClients.get(outbound) ?? new CPanelClient(outbound, settings)
  cPanelClients.set(outbound, found)
  return found
}

/** Does what a task is about, from wherever it stands: a step that was done already does nothing again. */
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

/** The steps of a task, written down as they begin and end. */
class TaskStepRecorder {
  readonly #house: AppContext
  readonly #task: RedirectTaskRow
  readonly steps: RedirectStep[] = []

  constructor(context: AppContext, task: RedirectTaskRow) {
    this.#house = context
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
    return this.#house.db
      .update(redirectTasksTable)
      .set({ steps: this.steps })
      .where(eq(redirectTasksTable.id, this.#task.id))
  }
}

async function addRedirectDomain(context: AppContext, task: RedirectTaskRow, work: TaskStepRecorder) {
  const cpanel = getCPanelClient(context)
  const addon = await work.step('domain', async (): Promise<AddonDomain> => {
    const there = await cpanel.find(task.domain)
    // Noted before anything is added: after a crash, what is there is ours or not.
    if (there && task.steps.length === 0)
      await context.db.update(redirectTasksTable).set({ was_there: true }).where(eq(redirectTasksTable.id, task.id))
    return there ?? cpanel.addDomain(task.domain)
  })
  await work.step('redirect', async () => {
    const now = await cpanel.redirectOf(task.domain)
    if (now === null) await cpanel.addRedirect(task.domain, task.redirect_url)
    else if (!isSameUrl(now, task.redirect_url)) throw new CPanelError(`cPanel redirects this domain to ${now} already`)
  })
  await context.db.transaction(async (tx) => {
    const { domain, redirect_url } = task
    const registered_domain = getRegisteredDomain(domain)
    const row = { domain, redirect_url, registered_domain, domainkey: addon.domainkey }
    const [made] = await tx
      .insert(redirectDomainsTable)
      .values(row)
      .onConflictDoNothing()
      .returning({ id: redirectDomainsTable.id })
    await trackDomain(tx, registered_domain)
    if (made)
      await writeAudit(tx, toTaskActor(task), {
        kind: redirectDomainAuditKind,
        rowId: made.id,
        before: null,
        after: { domain, redirect_url },
      })
    await tx
      .update(redirectTasksTable)
      .set({ state: 'done', redirect_domain_id: made?.id ?? null, ended_at: sql`now()` })
      .where(eq(redirectTasksTable.id, task.id))
  })
}

async function removeRedirectDomain(context: AppContext, task: RedirectTaskRow, work: TaskStepRecorder) {
  const cpanel = getCPanelClient(context)
  const { domain, redirect_url } = task
  await work.step('noRedirect', async () => {
    if ((await cpanel.redirectOf(domain)) !== null) await cpanel.removeRedirect(domain)
  })
  await work.step('noDomain', async () => {
    const there = await cpanel.find(domain)
    if (there) await cpanel.removeDomain(there)
  })
  await context.db.transaction(async (tx) => {
    const [gone] = await tx.delete(redirectDomainsTable).where(eq(redirectDomainsTable.domain, domain)).returning()
    if (gone) {
      await untrackDomain(tx, gone.registered_domain)
      await writeAudit(tx, toTaskActor(task), {
        kind: redirectDomainAuditKind,
        rowId: gone.id,
        before: { domain, redirect_url },
        after: null,
      })
    }
    await tx
      .update(redirectTasksTable)
      .set({ state: 'done', ended_at: sql`now()` })
      .where(eq(redirectTasksTable.id, task.id))
  })
}

/** Takes back what was done, as far as it was ours, and says what went wrong. */
async function failRedirectTask(context: AppContext, task: RedirectTaskRow, work: TaskStepRecorder, cause: unknown) {
  let error = describeTaskError(cause)
  try {
    await rollBackTask(context, task, work)
  } catch (second) {
    error = `${error}. It could not be taken back: ${describeTaskError(second)}`
  }
  await context.db.transaction(async (tx) => {
    await tx
      .update(redirectTasksTable)
      .set({ state: 'failed', error, ended_at: sql`now()` })
      .where(eq(redirectTasksTable.id, task.id))
    if (task.kind === 'remove')
      await tx.update(redirectDomainsTable).set({ problem: error }).where(eq(redirectDomainsTable.domain, task.domain))
  })
}

async function rollBackTask(
  context: AppContext,
  { id, kind: what, domain, redirect_url }: RedirectTaskRow,
  work: TaskStepRecorder,
) {
  const cpanel = getCPanelClient(context)
  const [now] = await context.db
    .select({ was_there: redirectTasksTable.was_there })
    .from(redirectTasksTable)
    .where(eq(redirectTasksTable.id, id))
  if (what === 'add' && !now?.was_there && work.reached('domain'))
    await work.step('takeBack', async () => {
      const there = await cpanel.find(domain)
      if (there) await cpanel.removeDomain(there)
    })
  if (what === 'remove' && work.reached('noDomain'))
    await work.step('takeBack', async () => {
      if ((await cpanel.find(domain)) && (await cpanel.redirectOf(domain)) === null)
        await cpanel.addRedirect(domain, redirect_url)
    })
}

const describeTaskError = (error: unknown) => {
  const words = error instanceof Error ? error.message : String(error)
  return (error instanceof CPanelError ? words : `cPanel is out of reach: ${words}`).slice(0, 500)
}

/** Who asked for it, for the trail. */
const toTaskActor = ({ user_id, username, request_id, address }: RedirectTaskRow) => ({
  me: user_id === null ? null : { id: user_id, username: username ?? '' },
  requestId: request_id ?? undefined,
  address: address ?? undefined,
})

const isSameUrl = (a: string, b: string) => URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href
