import { setTimeout as pause } from 'node:timers/promises'
import { computeCallRailSignature } from '#integrations/callrail/webhook.ts'
import { buildSignedCall, drillSigningKey } from './drill-app.ts'

/** Sends events, retrying each until it is answered 2xx, like a service that never gives up. */
export class Posts {
  readonly leads: string[]
  /** Events that were answered 2xx so far. */
  readonly acceptedLeads = new Set<string>()
  /** The number of attempts without a response or with an error. */
  failed = 0
  readonly statuses = new Map<number, number>()
  #next = 0
  #stopped = false

  readonly #pauseMs: number

  /** `pauseMs`: how long each sender waits after an accepted event. */
  constructor(count: number, mark: string, { pauseMs = 0 } = {}) {
    this.#pauseMs = pauseMs
    this.leads = Array.from({ length: count }, (_, index) => `${mark}-${index}`)
  }

  get accepted(): number {
    return this.acceptedLeads.size
  }

  /** `url` is called for each attempt: a restarted process has another port. */
  async send(url: () => string, senders: number): Promise<void> {
    await Promise.all(Array.from({ length: senders }, () => this.#sender(url)))
  }

  stop() {
    this.#stopped = true
  }

  async #sender(url: () => string) {
    for (let lead = this.leads[this.#next++]; lead !== undefined; lead = this.leads[this.#next++]) {
      const body = buildSignedCall(lead)
      while (!this.#stopped && !(await this.#post(url(), body))) await pause(50)
      if (this.#stopped) return
      this.acceptedLeads.add(lead)
      if (this.#pauseMs) await pause(this.#pauseMs)
    }
  }

  async #post(url: string, body: Buffer): Promise<boolean> {
    const status = await fetch(`${url}/api/hooks/callrail`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { 'content-type': 'application/json', signature: computeCallRailSignature(drillSigningKey, body) },
      signal: AbortSignal.timeout(20_000),
    }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (status >= 200 && status < 300) return true
    this.failed += 1
    return false
  }
}
