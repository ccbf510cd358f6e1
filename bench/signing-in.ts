import { hashPassword } from '#core/secrets/passwords.ts'
import type { BenchServer } from './bench-server.ts'
import { type Database, removeUsers, withClient } from './database.ts'
import { type Answer, median, requestsPerSecond } from './http-client.ts'

/** Sign-ins per second. */
export type SigningIn = { ours: number; floor: number; ratio: number }

const password = 'a bench of four words'

/** Measures the cost of a sign-in beyond its hash, which is deliberately expensive. */
export async function measureSigningIn(
  ours: BenchServer,
  bare: BenchServer,
  { url }: Database,
  rounds: number,
): Promise<SigningIn> {
  const hash = await hashPassword(password)
  return withClient(url, async (client) => {
    await removeUsers(client, 'bench door') // of a run that was interrupted
    await client.query(
      `insert into users (username, email, role, password_hash) values ('bench door', 'door@bench.example', 'admin', $1)`,
      [hash],
    )
    try {
      const rates: [number, number][] = []
      for (let round = 0; round < rounds; round += 1)
        rates.push([
          await requestsPerSecond(() => signIn(ours.url), { at: 4, ms: 3000 }),
          await requestsPerSecond(() => signIn(bare.url), { at: 4, ms: 3000 }),
        ])
      return {
        ours: median(rates.map(([one]) => one)),
        floor: median(rates.map(([, floor]) => floor)),
        ratio: median(rates.map(([one, floor]) => one / floor)),
      }
    } finally {
      await removeUsers(client, 'bench door')
    }
  })
}

async function signIn(url: string): Promise<Answer> {
  const started = performance.now()
  const answer = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bench door', password }),
  })
  const body = await answer.text()
  if (!body.includes('token')) throw new Error(`signing in answered ${answer.status}: ${body}`)
  return { body, ms: performance.now() - started }
}
