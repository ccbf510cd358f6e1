import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { JobQueue } from '../jobs/jobs.ts'

/** A figure of the product: its name and help text, and the key under which `read` answers it. */
export type ProductGauge<Key extends string> = { name: string; help: string; key: Key }
type MetricsOptions<Key extends string> = {
  jobs: JobQueue
  gauges: readonly ProductGauge<Key>[]
  /** Asked once a scrape; NaN says that a figure is not known. */
  read: () => Promise<Record<Key, number>>
}

/** What /metrics tells: Node's own figures, the time of each route, and how things stand in the database at that moment. */
export class AppMetrics<Key extends string = string> {
  readonly #registry = new Registry()
  readonly #options: MetricsOptions<Key>
  #figures: Partial<Record<Key, number>> = {}
  readonly #requests = new Histogram({
    name: 'leadline_http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [this.#registry],
  })

  constructor(options: MetricsOptions<Key>) {
    this.#options = options
    collectDefaultMetrics({ register: this.#registry, prefix: 'leadline_' })
    for (const gauge of options.gauges) this.#addGauge(gauge)
    this.#countJobs()
  }

  request(method: string, route: string, status: number, ms: number) {
    this.#requests.observe({ method, route, status: String(status) }, ms / 1000)
  }

  async text(): Promise<string> {
    this.#figures = await this.#options.read()
    return this.#registry.metrics()
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  #addGauge({ name, help, key }: ProductGauge<Key>) {
    const collect = () => gauge.set(this.#figures[key] ?? Number.NaN)
    const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect })
  }

  /** Those of this process: a worker without web tells nobody. */
  #countJobs() {
    const collect = () => {
      counter.reset()
      for (const [job, outcomes] of this.#options.jobs.outcomes)
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
