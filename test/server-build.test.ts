import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { toSourceStack } from '#core/log/source-stack.ts'
import { projectRoot } from '#core/settings/settings.ts'
import { createDatabase } from '#test/database.ts'
import { startServer, stopServer } from '#test/server-process.ts'
import { buildServer, builtProgram } from '../bin/build-server.mjs'

/** The build and all files that it loads at startup. */
function withStaticImports(file: string, files = new Set<string>()): Set<string> {
  if (files.has(file)) return files
  files.add(file)
  for (const [, part = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*"(\.\/[^"]+)"/g))
    withStaticImports(join(dirname(file), part), files)
  return files
}
const kilobytes = (files: Set<string>) => [...files].reduce((sum, file) => sum + statSync(file).size, 0) / 1024

test('the command line lists its commands without loading the server', () => {
  expect(kilobytes(withStaticImports(builtProgram('leadline')))).toBeLessThan(200)
})

test('the server starts without the code for mails, images, passkeys and PDF files', () => {
  const server = builtProgram('server')
  const files = withStaticImports(server)
  // Dynamic imports load while PostgreSQL starts.
  for (const [, part = ''] of readFileSync(server, 'utf8').matchAll(/\bimport\("(\.\/[^"]+)"\)/g))
    withStaticImports(join(dirname(server), part), files)
  const started = [...files].map((file) => readFileSync(file, 'utf8')).join('\n')
  expect(started).toContain('/readyz')
  const late = ['react-dom-server', 'X509Certificate2', 'PDFDocument']
  expect(late.filter((mark) => started.includes(mark))).toEqual([])
  expect(started).not.toMatch(/from\s*"sharp"/)
})

test('the build is redone if its sources changed, and only then', async () => {
  const stamp = join(projectRoot, 'dist/server.stamp')
  const program = builtProgram('server')
  const built = () => statSync(program).mtimeMs
  const first = built()
  await buildServer()
  expect(built()).toBe(first)

  const told = JSON.parse(readFileSync(stamp, 'utf8'))
  expect(told.hashes).toHaveProperty('src/app/server/main.ts')
  expect(told.hashes).toHaveProperty('package-lock.json')
  told.hashes['src/app/server/main.ts'] = 'of another text'
  writeFileSync(stamp, JSON.stringify(told))
  await buildServer()
  expect(built()).toBeGreaterThan(first)
  expect(readdirSync(dirname(program)).filter((file) => file.endsWith('.new'))).toEqual([])
})

test('a stack names the lines of our source, and keeps lines outside of the build', () => {
  const file = builtProgram('leadline')
  const sentence = 'run a scheduled job now'
  const place = (text: string) => {
    const before = text.slice(0, text.indexOf(sentence)).split('\n')
    return { line: before.length, column: before.at(-1)!.length }
  }
  const at = place(readFileSync(file, 'utf8'))
  const source = place(readFileSync(join(projectRoot, 'src/app/cli/program.ts'), 'utf8'))
  const stack = `Error: no\n    at run (${pathToFileURL(file)}:${at.line}:${at.column})\n    at node:internal/main:1:2`
  expect(toSourceStack(stack)).toBe(
    `Error: no\n    at run (src/app/cli/program.ts:${source.line}:${source.column})\n    at node:internal/main:1:2`,
  )
  expect(toSourceStack('at x (file:///nowhere/else.mjs:1:2)')).toBe('at x (file:///nowhere/else.mjs:1:2)')
})

test('web and worker in one process hold at most 180 MB at rest', async () => {
  const database = await createDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'leadline-rest-'))
  const server = await startServer({ DATA_DIR: folder, DATABASE_URL: database.url })
  const kilobytesHeld = execFileSync('ps', ['-o', 'rss=', '-p', String(server.child.pid)], { encoding: 'utf8' })
  await stopServer(server)
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
  expect(Number(kilobytesHeld) / 1024).toBeLessThan(180)
})

test('the built server takes a new password, and refuses a common one: it finds the list', async () => {
  const database = await createDatabase()
  const old_password = 'the first password'
  const server = await startServer({
    DATABASE_URL: database.url,
    SECRET_KEY: '5e'.repeat(32),
    ADMIN_PASSWORD: old_password,
  })
  try {
    const send = (method: string, path: string, body: object, token = '') =>
      fetch(`${server.url}/api/user${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        body: JSON.stringify(body),
      })
    const signedIn = (await (await send('POST', '/login', { username: 'admin', password: old_password })).json()) as {
      token: string
    }
    const change = async (new_password: string) =>
      (await send('PUT', '', { old_password, new_password, new_password_confirmation: new_password }, signedIn.token))
        .status
    expect([await change('password123'), await change('battery staple horse')]).toEqual([422, 200])
  } finally {
    await stopServer(server)
    await database.drop()
  }
})
