import { Agent, request } from 'node:http'

/** Sends requests over keep-alive connections, timed from the first byte out to the last byte in. */

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
export const closeConnections = () => agent.destroy()

export type Target = { url: string; token: string }
export type Answer = { body: string; ms: number }

export function timedGet({ url, token }: Target, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const asking = request(
      url + path,
      { agent, headers: { authorization: `Bearer ${token}`, ...headers } },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          const ms = performance.now() - started
          const body = Buffer.concat(parts)
          if (answer.statusCode === 200) resolve({ body: body.toString('utf8'), ms })
          else reject(new Error(`${path} answered ${answer.statusCode}: ${body.toString('utf8').slice(0, 300)}`))
        })
      },
    )
    asking.on('error', reject)
    asking.end()
  })
}

export async function timedPost({ url, token }: Target, path: string, body: object): Promise<Answer> {
  const started = performance.now()
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`)
  return { body: text, ms: performance.now() - started }
}

export const median = (numbers: number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export type Spread = { median: number; ninetyFifth: number }

export function summarizeTimes(times: number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b)
  return { median: median(times), ninetyFifth: sorted[Math.floor(sorted.length * 0.95)] ?? 0 }
}

/** Returns the median of `most` sequential requests, or of as many as fit in `ms`. */
export async function medianTime(run: () => Promise<Answer>, { most = 200, ms = 4000 } = {}): Promise<number> {
  const times: number[] = []
  const until = performance.now() + ms
  while (times.length < most && (times.length < 5 || performance.now() < until)) times.push((await run()).ms)
  return median(times)
}

/** Returns the requests per second with that many at a time. */
export async function requestsPerSecond(run: () => Promise<Answer>, { at = 8, ms = 2000 } = {}): Promise<number> {
  const started = performance.now()
  let done = 0
  const worker = async () => {
    while (performance.now() - started < ms) {
      await run()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: at }, worker))
  return (done * 1000) / (performance.now() - started)
}
