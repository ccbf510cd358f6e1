import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** What /metrics tells: Node's own figures and the time of each route. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = new Histogram({
    name: 'leadline_http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [this.#registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.#registry, prefix: 'leadline_' })
  }

  request(method: string, route: string, status: number, ms: number) {
    this.#requests.observe({ method, route, status: String(status) }, ms / 1000)
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }

  get contentType(): string {
    return this.#registry.contentType
  }
}
