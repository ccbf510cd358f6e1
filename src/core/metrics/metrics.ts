import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AppContext } from '../app-context.ts'
import { noOperationalMetrics, type OperationalMetrics, readOperationalMetrics } from './operational-metrics.ts'

/** What /metrics tells: Node's own figures, the time of each route, and how things stand in the database at that moment. */
export class AppMetrics {
  readonly #registry = new Registry()
  readonly #house: AppContext
  #standing: OperationalMetrics = noOperationalMetrics
  readonly #requests = new Histogram({
    name: 'leadline_http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [this.#registry],
  })

  constructor(context: AppContext) {
    this.#house = context
    collectDefaultMetrics({ register: this.#registry, prefix: 'leadline_' })
    this.#stands('leadline_ready', 'Whether a write works, as /readyz says: 1 or 0', ({ ready }) => ready)
    this.#stands('leadline_events_waiting', 'Events of hooks that no worker has looked at yet', (now) => now.events)
    this.#stands('leadline_events_oldest_seconds', 'Age of the oldest of them', (now) => now.oldest_event)
    this.#stands('leadline_events_quarantined', 'Events that nobody could use', (now) => now.quarantined)
    this.#stands('leadline_mails_waiting', 'Mails that have not gone out yet', (now) => now.mails)
    this.#stands('leadline_mails_oldest_seconds', 'Age of the oldest of them', (now) => now.oldest_mail)
    this.#stands('leadline_mails_uncertain', 'Mails among the last 1,000 that may have arrived', (now) => now.uncertain)
    this.#stands('leadline_mails_refused', 'Mails among the last 1,000 that were refused', (now) => now.refused)
    this.#countJobs()
  }

  request(method: string, route: string, status: number, ms: number) {
    this.#requests.observe({ method, route, status: String(status) }, ms / 1000)
  }

  async text(): Promise<string> {
    this.#standing = await readOperationalMetrics(this.#house)
    return this.#registry.metrics()
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  #stands(name: string, help: string, read: (now: OperationalMetrics) => number) {
    const collect = () => gauge.set(read(this.#standing))
    const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect })
  }

  /** Those of this process: a worker without web tells nobody. */
  #countJobs() {
    const collect = () => {
      counter.reset()
      for (const [job, outcomes] of this.#house.jobs.outcomes)
        for (const outcome of ['done', 'failed'] as const) counter.inc({ job, outcome }, outcomes[outcome])
    }
    const counter: Counter<'job' | 'outcome'> = new Counter({
      name: 'leadline_jobs_total',
      help: 'Jobs that this process ran, by how they ended',
      labelNames: ['job', 'outcome'],
      registers: [this.#registry],
      collect,
    })
  }
}
