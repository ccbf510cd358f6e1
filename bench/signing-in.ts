import { hashPassword } from '#core/secrets/passwords.ts'
import type { BenchServer } from './bench-server.ts'
import { type Database, withClient } from './database.ts'
import { type Answer, median, requestsPerSecond } from './http-client.ts'

/** Sign-ins a second. */
export type SigningIn = { ours: number; floor: number; ratio: number }

const password = 'a bench of four words'

/** What a sign-in costs beyond its hash, which is dear by intention. */
export async function measureSigningIn(
  ours: BenchServer,
  bare: BenchServer,
  { url }: Database,
  rounds: number,
): Promise<SigningIn> {
  const hash = await hashPassword(password)
  return withClient(url, async (client) => {
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
      await client.query(`delete from sessions where user_id = (select id from users where username = 'bench door')`)
      await client.query(`delete from users where username = 'bench door'`)
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
