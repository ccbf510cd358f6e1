import { Agent, request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type ListeningServer, startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'

export type Rolling = {
  restarts: number
  requests: number
  failed: string[]
  /** Exit codes of the processes that were asked to stop. */
  codes: (number | null)[]
}

/**
 * Two processes on one database behind a proxy that polls their readiness and sends requests to those that are ready.
 * They are asked to stop in turns, under load, and started again.
 */
export async function rolling(
  settings: Record<string, string>,
  restarts: number,
  say: (line: string) => void = () => {},
): Promise<Rolling> {
  const run = () => startServer({ STOP_DELAY: '3', TRUSTED_PROXIES: '127.0.0.1', ...settings })
  const processes = await Promise.all([run(), run()])
  const proxy = await startProxy(() => processes.map(({ url }) => url))
  const load = new Load(proxy.url)
  const sending = load.send(8)
  const codes: (number | null)[] = []
  try {
    for (let turn = 0; turn < restarts; turn += 1) {
      await until(() => proxy.ready.length === 2)
      await until(load.moreThan(100))
      codes.push(await stopServer(processes[turn % 2]!))
      await until(load.moreThan(100))
      say(`restart ${turn + 1}/${restarts}: exit ${codes.at(-1)}, ${load.requests} requests`)
      if (turn + 1 < restarts) processes[turn % 2] = await run()
    }
    return { restarts, requests: load.requests, failed: load.failed, codes }
  } finally {
    load.stop()
    await sending
    await proxy.close()
    await Promise.all(processes.map((one: ListeningServer) => stopServer(one)))
  }
}

/** Polls `/servez` ten times a second, and passes each request to the next ready process. It never retries a request. */
async function startProxy(urls: () => string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const proxy = { ready: [] as string[] }
  const look = async () => {
    const answers = await Promise.all(
      urls().map((url) =>
        fetch(`${url}/servez`, { signal: AbortSignal.timeout(5000) }).then(
          ({ ok }) => ok && url,
          () => false,
        ),
      ),
    )
    proxy.ready = answers.filter((url) => typeof url === 'string')
  }
  const closing = new AbortController()
  const looking = (async () => {
    while (!closing.signal.aborted) {
      await look()
      await pause(100)
    }
  })()
  let next = 0
  const server = createServer((request, response) => {
    const [path, method, headers] = [request.url ?? '/', request.method, request.headers]
    const target = proxy.ready[next++ % proxy.ready.length]
    if (!target) return response.writeHead(502).end('no process is ready')
    const passed = ask(target + path, { agent, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', (error) => response.writeHead(502).end(error.message))
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await until(async () => {
    await look()
    return proxy.ready.length > 0
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    get ready() {
      return proxy.ready
    },
    close: async () => {
      closing.abort()
      await looking
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Sends requests continuously: half of them cost a database query, a tenth a password check. */
class Load {
  requests = 0
  readonly failed: string[] = []
  readonly #url: string
  #stopped = false

  constructor(url: string) {
    this.#url = url
  }

  async send(senders: number): Promise<void> {
    await Promise.all(Array.from({ length: senders }, (_, number) => this.#sender(number)))
  }

  /** Returns a check whether that many more requests were answered since now. */
  moreThan(count: number): () => boolean {
    const before = this.requests
    return () => this.requests > before + count
  }

  stop() {
    this.#stopped = true
  }

  async #sender(number: number) {
    for (let turn = number; !this.#stopped; turn += 1) {
      const signIn = turn % 10 === 0
      const [path, wanted, init] = signIn
        ? (['/api/user/login', [200, 429], posted({ username: `u${turn}`, password: 'wrong' })] as const)
        : (['/api/user/me', [401], { headers: { authorization: 'Bearer nobody' } }] as const)
      const answer = await fetch(this.#url + path, init).catch((error: Error) => error)
      this.requests += 1
      if (answer instanceof Error) this.failed.push(String(answer.cause ?? answer))
      else {
        const text = await answer.text().catch((error: Error) => `broke off: ${error.message}`)
        if (!(wanted as readonly number[]).includes(answer.status)) this.failed.push(`${path} ${answer.status} ${text}`)
      }
      await pause(5)
    }
  }
}

const posted = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
