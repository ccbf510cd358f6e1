import type { SQL } from 'drizzle-orm'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { JobQueue } from '../jobs/jobs.ts'

export type MetricGauge = { name: string; help: string }
/** A gauge that PostgreSQL answers; nothing counts as 0. */
export type DatabaseGauge = MetricGauge & { query: SQL }
type MetricsOptions = {
  jobs: JobQueue
  gauges: readonly MetricGauge[]
  /** Called once per scrape; a gauge that is missing is not known. */
  read: () => Promise<Record<string, number>>
}

/** The kind of a request: files and streams take as long as their client reads. */
export type RequestGroup = 'api' | 'hook' | 'stream' | 'file'
type AnsweredRequest = { method: string; route: string; group: RequestGroup; status: number; ms: number }

/**
 * The metrics of /metrics: Node's own, request times, and gauges from the database. Histogram buckets are per group and status class,
 * sums per route: buckets per route and status took 771 kB once every route had been called.
 */
export class AppMetrics {
  readonly #registry = new Registry()
  readonly #options: MetricsOptions
  #figures: Partial<Record<string, number>> = {}
  readonly #requests = new Histogram({
    name: 'leadline_http_request_seconds',
    help: 'Time to answer, by group (api, hook, stream, file) and class of status (2xx …)',
    labelNames: ['group', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [this.#registry],
  })
  readonly #routeRequests = new Counter({
    name: 'leadline_route_requests_total',
    help: 'Answered requests, by method and route',
    labelNames: ['method', 'route'],
    registers: [this.#registry],
  })
  readonly #routeSeconds = new Counter({
    name: 'leadline_route_seconds_total',
    help: 'Time to answer, summed by method and route',
    labelNames: ['method', 'route'],
    registers: [this.#registry],
  })

  constructor(options: MetricsOptions) {
    this.#options = options
    collectDefaultMetrics({ register: this.#registry, prefix: 'leadline_' })
    for (const gauge of options.gauges) this.#addGauge(gauge)
    this.#countJobs()
  }

  request({ method, route, group, status, ms }: AnsweredRequest) {
    const labels = { method, route }
    this.#requests.observe({ group, status: `${Math.floor(status / 100)}xx` }, ms / 1000)
    this.#routeRequests.inc(labels)
    this.#routeSeconds.inc(labels, ms / 1000)
  }

  async text(): Promise<string> {
    this.#figures = await this.#options.read()
    return this.#registry.metrics()
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  #addGauge({ name, help }: MetricGauge) {
    const collect = () => gauge.set(this.#figures[name] ?? Number.NaN)
    const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect })
  }

  /** Counts the jobs of this process; a worker without web has no /metrics. */
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
