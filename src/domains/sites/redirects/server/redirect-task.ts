import { eq, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { record } from '#core/audit/write-audit.ts'
import { followDomain, forgetDomain, registeredDomain } from '#domains/sites/checks/server/site-registration.ts'
import { type AddonDomain, CPanel, CPanelRefusal } from '#integrations/cpanel/cpanel.ts'
import type { Outbound } from '#integrations/outbound/outbound.ts'
import type { Step, StepName } from '../labels.ts'
import { redirectDomains, redirectTasks } from '../schema.ts'

export const kind = 'redirect domain'
type Task = typeof redirectTasks.$inferSelect

/** One for a process: it remembers what this host's cPanel knows, and whether it answers. */
const known = new WeakMap<Outbound, CPanel>()
function cPanelOf({ outbound, settings }: House): CPanel {
  const found = known.get(outbound) ?? new CPanel(outbound, settings)
  known.set(outbound, found)
  return found
}

/** Does what a task is about, from wherever it stands: a step that was done already does nothing again. */
export async function perform(house: House, taskId: number): Promise<void> {
  const [task] = await house.db.select().from(redirectTasks).where(eq(redirectTasks.id, taskId))
  if (task?.state !== 'running') return
  const work = new Work(house, task)
  try {
    if (task.kind === 'add') await add(house, task, work)
    else await remove(house, task, work)
  } catch (error) {
    await fail(house, task, work, error)
  }
}

/** The steps of a task, written down as they begin and end. */
class Work {
  readonly #house: House
  readonly #task: Task
  readonly steps: Step[] = []

  constructor(house: House, task: Task) {
    this.#house = house
    this.#task = task
  }

  async step<T>(name: StepName, act: () => Promise<T>): Promise<T> {
    const step: Step = { name, state: 'running' }
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

  reached(name: StepName): boolean {
    return this.steps.some((step) => step.name === name)
  }

  #write() {
    return this.#house.db.update(redirectTasks).set({ steps: this.steps }).where(eq(redirectTasks.id, this.#task.id))
  }
}

async function add(house: House, task: Task, work: Work) {
  const cpanel = cPanelOf(house)
  const addon = await work.step('domain', async (): Promise<AddonDomain> => {
    const there = await cpanel.find(task.domain)
    // Noted before anything is added: after a crash, what is there is ours or not.
    if (there && task.steps.length === 0)
      await house.db.update(redirectTasks).set({ was_there: true }).where(eq(redirectTasks.id, task.id))
    return there ?? cpanel.addDomain(task.domain)
  })
  await work.step('redirect', async () => {
    const now = await cpanel.redirectOf(task.domain)
    if (now === null) await cpanel.addRedirect(task.domain, task.redirect_url)
    else if (!sameAddress(now, task.redirect_url))
      throw new CPanelRefusal(`cPanel redirects this domain to ${now} already`)
  })
  await house.db.transaction(async (tx) => {
    const { domain, redirect_url } = task
    const registered_domain = registeredDomain(domain)
    const row = { domain, redirect_url, registered_domain, domainkey: addon.domainkey }
    const [made] = await tx
      .insert(redirectDomains)
      .values(row)
      .onConflictDoNothing()
      .returning({ id: redirectDomains.id })
    await followDomain(tx, registered_domain)
    if (made) await record(tx, actorOf(task), { kind, rowId: made.id, before: null, after: { domain, redirect_url } })
    await tx
      .update(redirectTasks)
      .set({ state: 'done', redirect_domain_id: made?.id ?? null, ended_at: sql`now()` })
      .where(eq(redirectTasks.id, task.id))
  })
}

async function remove(house: House, task: Task, work: Work) {
  const cpanel = cPanelOf(house)
  const { domain, redirect_url } = task
  await work.step('noRedirect', async () => {
    if ((await cpanel.redirectOf(domain)) !== null) await cpanel.removeRedirect(domain)
  })
  await work.step('noDomain', async () => {
    const there = await cpanel.find(domain)
    if (there) await cpanel.removeDomain(there)
  })
  await house.db.transaction(async (tx) => {
    const [gone] = await tx.delete(redirectDomains).where(eq(redirectDomains.domain, domain)).returning()
    if (gone) {
      await forgetDomain(tx, gone.registered_domain)
      await record(tx, actorOf(task), { kind, rowId: gone.id, before: { domain, redirect_url }, after: null })
    }
    await tx.update(redirectTasks).set({ state: 'done', ended_at: sql`now()` }).where(eq(redirectTasks.id, task.id))
  })
}

/** Takes back what was done, as far as it was ours, and says what went wrong. */
async function fail(house: House, task: Task, work: Work, cause: unknown) {
  let error = wordsOf(cause)
  try {
    await takeBack(house, task, work)
  } catch (second) {
    error = `${error}. It could not be taken back: ${wordsOf(second)}`
  }
  await house.db.transaction(async (tx) => {
    await tx
      .update(redirectTasks)
      .set({ state: 'failed', error, ended_at: sql`now()` })
      .where(eq(redirectTasks.id, task.id))
    if (task.kind === 'remove')
      await tx.update(redirectDomains).set({ problem: error }).where(eq(redirectDomains.domain, task.domain))
  })
}

async function takeBack(house: House, { id, kind: what, domain, redirect_url }: Task, work: Work) {
  const cpanel = cPanelOf(house)
  const [now] = await house.db
    .select({ was_there: redirectTasks.was_there })
    .from(redirectTasks)
    .where(eq(redirectTasks.id, id))
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

const wordsOf = (error: unknown) => {
  const words = error instanceof Error ? error.message : String(error)
  return (error instanceof CPanelRefusal ? words : `cPanel is out of reach: ${words}`).slice(0, 500)
}

/** Who asked for it, for the trail. */
const actorOf = ({ user_id, username, request_id, address }: Task) => ({
  me: user_id === null ? null : { id: user_id, username: username ?? '' },
  requestId: request_id ?? undefined,
  address: address ?? undefined,
})

const sameAddress = (a: string, b: string) => URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href
