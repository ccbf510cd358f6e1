import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

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

test('CI runs only the test command of the README [RUN-04]', () => {
  const lines = readFileSync(join(root, '.ci/run'), 'utf8').split('\n')
  const commands = lines.filter((line) => line && !line.startsWith('#'))
  expect(commands).toEqual(['cd "$(dirname "$0")/.." && exec npm test'])
})

test('no committed file names a path of the machine it was written on', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  const home = new RegExp(['/(home|Users)/\\w+/', '/work/\\w+', '/root/\\w+'].join('|'))
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
