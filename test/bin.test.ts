import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { findDevPort } from '../bin/dev-port.mjs'
import { runOnce } from '../bin/lock.mjs'

const root = resolve(import.meta.dirname, '..')

test('if everything is installed and built, nothing is fetched and npm does not run [RUN-01]', () => {
  const env = { ...process.env, npm_execpath: '/nowhere/npm-cli.js', PATH: '/usr/bin:/bin' }
  const help = spawnSync(process.execPath, ['bin/leadline.mjs', '--help'], { cwd: root, env, encoding: 'utf8' })
  expect(help.stderr).toBe('')
  expect(help.stdout).toContain('user')
  expect(help.status).toBe(0)
})

test('the command line works from any directory and passes on its exit code', () => {
  const entry = join(root, 'bin/leadline.mjs')
  const { INIT_CWD: _, ...env } = process.env
  const wrong = spawnSync(process.execPath, [entry, 'no-such-command'], { cwd: '/', env, encoding: 'utf8' })
  expect(wrong.status).toBe(1)
  expect(wrong.stderr).toContain('no-such-command')
})

test('what the program does not take is refused: no server starts on another port than the one asked for', () => {
  for (const asked of [
    ['start', '--port', '4000'],
    ['demo', '--empty'],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, ['bin/leadline.mjs', ...asked], {
      cwd: root,
      encoding: 'utf8',
      timeout: 60_000,
    })
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`${asked[0]} does not take ${asked[1]}. Settings come from the environment`),
    ])
  }
})

test('the web of npm run dev asks the port of .env, as the server listens there; the environment wins', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'leadline-bin-')), '.env')
  expect(findDevPort({}, file)).toBe('3000')
  writeFileSync(file, 'PORT=4100 # ours\n')
  expect([findDevPort({}, file), findDevPort({ PORT: '4200' }, file)]).toEqual(['4100', '4200'])
})

test('a program that cannot start ends with 1, whatever it has opened', () => {
  const program = join(mkdtempSync(join(tmpdir(), 'leadline-bin-')), 'program.mjs')
  writeFileSync(program, `setInterval(() => {}, 1000)\nthrow new Error('there is no lock')`)
  const run = pathToFileURL(join(root, 'bin/run.mjs')).href
  const script = `import { runProgram } from '${run}'\nawait runProgram('${program}', [])`
  const options = { encoding: 'utf8', timeout: 60_000 } as const
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], options)
  expect([status, stderr]).toEqual([1, expect.stringContaining('there is no lock')])
})

test('a step waits for no process that got the id of one that was killed in it [RUN-01]', async () => {
  const lock = join(root, '.node/left-behind.lock')
  writeFileSync(lock, String(process.pid))
  utimesSync(lock, new Date(0), new Date(0))
  const step = vi.fn(async () => {})
  await runOnce('left-behind', () => false, step)
  expect(step).toHaveBeenCalledOnce()
  expect(existsSync(lock)).toBe(false)
})

test('CI runs only the test command of the README [RUN-04]', () => {
  const lines = readFileSync(join(root, '.ci/run'), 'utf8').split('\n')
  const commands = lines.filter((line) => line && !line.startsWith('#'))
  expect(commands).toEqual(['cd "$(dirname "$0")/.." && exec npm test'])
})

test('no committed file names a path of the machine it was written on', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  const home = new RegExp(['(?<!(?:GET|PUT) )/(home|Users)/\\w+/', '/work/\\w+', '/root/\\w+'].join('|'))
  const naming = files.filter((file) => /\.(ts|tsx|mjs|json|md|css|html|sql)$/.test(file) && mentions(file, home))
  expect(naming).toEqual([])
})

function mentions(file: string, path: RegExp): boolean {
  try {
    return path.test(readFileSync(join(root, file), 'utf8'))
  } catch {
    return false // removed, and not committed yet
  }
}
