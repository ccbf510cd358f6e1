import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

const changelog =
  '# Changelog\n\n## Unreleased\n\n### Leads\n\n- A new badge.\n\n## 0.9.0 - 2026-01-02\n\n- The first.\n'
const lock = { name: 'small', version: '0.9.0', lockfileVersion: 3, packages: { '': { version: '0.9.0' } } }
/** Without the settings of the machine, and without those of a git that runs the tests. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Returns a repository with our bin/ and small files in place of ours; npm test passes in it, and leaves `tested` behind. */
function makeRepository({ npmTest = 'echo tested > node_modules/tested', files = {} as Record<string, string> } = {}) {
  const top = mkdtempSync(join(tmpdir(), 'leadline-release-'))
  made.push(top)
  cpSync(join(projectRoot, 'bin'), join(top, 'bin'), { recursive: true })
  const all: Record<string, string> = {
    'package.json': json({ name: 'small', version: '0.9.0', type: 'module', scripts: { test: npmTest } }),
    'package-lock.json': json(lock),
    'CHANGELOG.md': changelog,
    'migrations/0000_baseline.sql': 'select 0;',
    'migrations/0001_more.sql': 'select 1;',
    'migrations/0002_most.sql': 'select 2;',
    'migrations/meta/_journal.json': json({
      entries: [{ tag: '0000_baseline' }, { tag: '0001_more' }, { tag: '0002_most' }],
    }),
    'migrations/released': '0000_baseline\n',
    '.gitignore': 'node_modules/\n.node/\n',
    // Its packages are installed.
    'node_modules/.bin/leadline': '',
    'node_modules/.package-lock.json': json({ packages: {} }),
    ...files,
  }
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(top, file)), { recursive: true })
    writeFileSync(join(top, file), text)
  }
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: top, env, encoding: 'utf8', stdio: 'pipe' }).trim()
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Tester')
  git('config', 'user.email', 'tester@a.example')
  git('add', '.')
  git('commit', '--quiet', '--message', 'start')

  const read = (file: string) => readFileSync(join(top, file), 'utf8')
  const write = (file: string, text: string) => writeFileSync(join(top, file), text)
  const list = (folder: string) => readdirSync(join(top, folder)).toSorted()
  /** What a refused release must not change. */
  const state = () => [git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')]
  const addHook = (name: string, script: string) => {
    write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`)
    chmodSync(join(top, `.git/hooks/${name}`), 0o755)
  }
  return { top, git, read, write, list, state, addHook }
}

/** Runs the command in a process group of its own, as a terminal does, and returns its exit code and output. */
function release(top: string, ...args: string[]) {
  const child = spawn(process.execPath, ['bin/leadline.mjs', 'release', ...args], { cwd: top, env, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, output })),
  )
}

test('a release tests, sets the version, dates the changelog, keeps one snapshot, commits, tags, and prints what publishes it', async () => {
  const { top, git, read, list } = makeRepository()
  const days = [new Date().toISOString().slice(0, 10)]
  const { code, output } = await release(top, '0.10.0')
  days.push(new Date().toISOString().slice(0, 10))
  expect([code, output]).toEqual([0, expect.stringContaining('git push --atomic origin main v0.10.0')])
  expect(output).toContain('docker build --tag leadline:0.10.0 .')
  expect(read('node_modules/tested')).toBe('tested\n')
  expect(JSON.parse(read('package.json')).version).toBe('0.10.0')
  expect(JSON.parse(read('package-lock.json'))).toEqual({
    ...lock,
    version: '0.10.0',
    packages: { '': { version: '0.10.0' } },
  })
  expect(days.map((day) => changelog.replace('Unreleased', `Unreleased\n\n## 0.10.0 - ${day}`))).toContain(
    read('CHANGELOG.md'),
  )
  expect(list('migrations')).toEqual(['0000_baseline.sql', '0001_more.sql', '0002_most.sql', 'meta', 'released'])
  expect(read('migrations/released')).toBe('0002_most\n')
  expect(git('show', '--no-patch', '--format=%s', 'v0.10.0^{commit}')).toBe('release: 0.10.0')
  expect(git('rev-parse', 'v0.10.0^{commit}')).toBe(git('rev-parse', 'main'))
  expect(git('rev-list', '--count', 'main')).toBe('2')
  expect(git('status', '--porcelain')).toBe('')

  const again = await release(top, '0.11.0', '--tested')
  expect(again).toEqual({ code: 1, output: 'leadline: CHANGELOG.md has nothing under Unreleased\n' })
})

test('a dry run prints every step and changes nothing, --tested trusts a run of before', async () => {
  const { top, list, state } = makeRepository()
  const before = state()
  const dry = await release(top, '1.0.0', '--dry-run')
  expect(dry.code).toBe(0)
  for (const step of [
    'npm test',
    '0.9.0 becomes 1.0.0',
    'Unreleased',
    'migrations/released: 0002_most',
    'commit',
    'tag v1.0.0',
    'push',
  ])
    expect(dry.output).toContain(step)
  expect(state()).toEqual(before)
  const { code, output } = await release(top, '1.0.0', '--tested')
  expect([code, output]).toEqual([0, expect.not.stringContaining('npm test')])
  expect(list('node_modules')).not.toContain('tested')
})

type Repository = ReturnType<typeof makeRepository>
const onBranch = ({ git }: Repository) => git('checkout', '--quiet', '-b', 'other')
const changed = ({ write }: Repository) => write('CHANGELOG.md', `${changelog}\n- Not committed.\n`)
const untracked = ({ write }: Repository) => write('notes.txt', '')
const tagged = ({ git }: Repository) => git('tag', 'v0.10.0')

test.each<[string, string[], string, ((repository: Repository) => unknown)?]>([
  ['without a version', [], 'usage: npm run release -- VERSION [--tested] [--dry-run]'],
  ['with an unknown option', ['0.10.0', '--force'], "Unknown option '--force'"],
  ['of a version that is none', ['v0.10'], '"v0.10" is not a version of three numbers, such as 0.2.0'],
  ['of the version of now', ['0.9.0'], '0.9.0 is not greater than 0.9.0'],
  ['of an earlier version', ['0.8.10'], '0.8.10 is not greater than 0.9.0'],
  ['on another branch', ['0.10.0'], 'a release is made on main', onBranch],
  ['with changes', ['0.10.0'], 'there are changes that are not committed', changed],
  ['with a new file', ['0.10.0'], 'there are changes that are not committed', untracked],
  ['of a version that was tagged', ['0.10.0'], 'there is a tag v0.10.0 already', tagged],
])('a release %s is refused before the tests, and changes nothing', async (_, args, message, prepare = () => {}) => {
  const repository = makeRepository()
  prepare(repository)
  const before = repository.state()
  const { code, output } = await release(repository.top, ...args)
  expect([code, output]).toEqual([1, expect.stringContaining(`leadline: ${message}`)])
  expect(repository.state()).toEqual(before)
  expect(repository.list('node_modules')).not.toContain('tested')
})

test.each([
  ['whose tests fail', 'exit 3', 'npm test failed (3)'],
  ['during whose tests a file is changed', 'echo >> CHANGELOG.md', 'there are changes that are not committed'],
  ['during whose tests main moves', 'git commit --quiet --allow-empty -m more', 'main has changed while the tests ran'],
])('a release %s is refused', async (_, npmTest, message) => {
  const { top, git, read } = makeRepository({ npmTest })
  const { code, output } = await release(top, '0.10.0')
  expect([code, output]).toEqual([1, expect.stringContaining(`leadline: ${message}\n`)])
  expect([git('tag'), git('log', '--format=%s')]).toEqual(['', expect.stringMatching(/^(more\n)?start$/)])
  expect(read('CHANGELOG.md').trimEnd()).toBe(changelog.trimEnd())
})

test('a release of nothing but headings, or of no Unreleased section, is refused', async () => {
  for (const text of [changelog.replace('- A new badge.\n', ''), changelog.replace('## Unreleased', '## Soon')]) {
    const { top, state } = makeRepository({ files: { 'CHANGELOG.md': text } })
    const before = state()
    expect((await release(top, '0.10.0')).output).toBe('leadline: CHANGELOG.md has nothing under Unreleased\n')
    expect(state()).toEqual(before)
  }
})

test.each<[string, (repository: Repository) => unknown]>([
  ['the commit is refused', ({ addHook }) => addHook('pre-commit', 'exit 1')],
  ['Ctrl-C is pressed during the commit', ({ addHook }) => addHook('pre-commit', 'kill -INT 0')],
  ['the tag is refused', ({ git }) => git('tag', 'v0.10.0/rc')],
])('if %s, the tree is as it was', async (_, prepare) => {
  const repository = makeRepository()
  prepare(repository)
  const before = repository.state()
  const { code, output } = await release(repository.top, '0.10.0', '--tested')
  expect([code, output]).toEqual([1, expect.stringContaining('leadline: Command failed: git')])
  expect(repository.state()).toEqual(before)
  expect(repository.read('migrations/released')).toBe('0000_baseline\n')
})
