import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { projectRoot } from '#core/settings/settings.ts'
import { builtProgram } from '../bin/build-server.mjs'

/** A person who views the demo. `enter` signs the browser in, and returns the session's token; null for a guest. */
export type Visitor = { name: string; enter: (context: BrowserContext) => Promise<string | null> }

/** Starts a fresh demo, with a person of each kind. */
export async function startDemo() {
  const dataDir = mkdtempSync(join(tmpdir(), 'leadline-gallery-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [builtProgram('demo')], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), DATA_DIR: dataDir, PUBLIC_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk
      if (text.includes('Ctrl-C stops everything')) resolve(text) // its last line
    })
    child.on('exit', (code) => reject(new Error(`the demo ended with ${code}`)))
  })
  const word = /olivia +(\S+)/.exec(said)?.[1] ?? ''
  const link = /customer +\S*token=(\S+)/.exec(said)?.[1] ?? ''
  const mails = /Emails are caught at (\S+)/.exec(said)?.[1] ?? ''
  const bySignIn = (username: string) => trade(url, '/api/user/login', { username, password: word })
  const people: Visitor[] = [
    { name: 'super-admin', enter: bySignIn('olivia') },
    { name: 'admin', enter: bySignIn('morgan') },
    { name: 'handler', enter: bySignIn('harper') },
    { name: 'customer', enter: trade(url, '/api/user/authByToken', { token: link }) },
    { name: 'guest', enter: async () => null },
  ]
  return {
    url,
    /** The page that shows the demo's mails. */
    mails,
    people,
    stop: async () => {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const trade = (url: string, path: string, body: object) => async (context: BrowserContext) => {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { token } = (await answer.json()) as { token?: string } // our own contract
  if (!token) throw new Error(`${path} answered ${answer.status}`)
  await context.addCookies([{ name: 'leadline_token', value: token, url }])
  // The tour of a first sign-in would cover every picture.
  await fetch(`${url}/api/user/endTour`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  return token
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number } // it listens on a port
  server.close()
  return port
}
