import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { npm } from './npm.mjs'
import { root } from './root.mjs'

/** Commits and tags a version of main, and prints what publishes it. Throws when main is not ready, and changes nothing then. */
export async function release(args) {
  const { version, tested, dryRun } = readArguments(args)
  const head = git('rev-parse', 'HEAD')
  const current = readJson('package.json').version
  checkVersion(version, current)
  checkRepository(version)
  const changelog = moveUnreleased(readText('CHANGELOG.md'), version)
  const newest = readJson('migrations/meta/_journal.json').entries.at(-1).tag
  const steps = [
    [`package.json, package-lock.json: ${current} becomes ${version}`, () => setVersion(version)],
    [`CHANGELOG.md: Unreleased becomes ${version}`, () => writeFileSync(join(root, 'CHANGELOG.md'), changelog)],
    [`migrations/released: ${newest}`, () => writeFileSync(join(root, 'migrations/released'), `${newest}\n`)],
    ['git: commit', () => git('commit', '--quiet', '--all', '--message', `release: ${version}`)],
    [`git: tag v${version}`, () => git('tag', '--annotate', `v${version}`, '--message', `Leadline ${version}`)],
  ]

  if (!tested) console.log('npm test')
  if (!tested && !dryRun) {
    await npm('test')
    // It takes minutes, in which work may have gone on.
    checkRepository(version)
    if (git('rev-parse', 'HEAD') !== head) throw new Error('main has changed while the tests ran')
  }
  // A Ctrl-C, such as while git wants a passphrase, stops git alone: then this undoes what was done.
  process.on('SIGINT', () => {})
  try {
    for (const [title, run] of steps) {
      console.log(title)
      if (!dryRun) run()
    }
  } catch (error) {
    git('reset', '--quiet', '--hard', head)
    throw error
  }
  console.log(`${dryRun ? 'Nothing was changed. The release would be published with' : 'To publish it'}:
  git push --atomic origin main v${version}
  docker build --tag leadline:${version} .`)
  return 0
}

function readArguments(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { tested: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
  })
  if (positionals.length !== 1) throw new Error('usage: npm run release -- VERSION [--tested] [--dry-run]')
  return { version: positionals[0], tested: values.tested, dryRun: values['dry-run'] }
}

function checkVersion(version, current) {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version))
    throw new Error(`"${version}" is not a version of three numbers, such as 0.2.0`)
  if (compareVersions(version, current) <= 0) throw new Error(`${version} is not greater than ${current}`)
}

const compareVersions = (a, b) => a.localeCompare(b, 'en', { numeric: true })

function checkRepository(version) {
  if (git('branch', '--show-current') !== 'main') throw new Error('a release is made on main')
  if (git('status', '--porcelain') !== '') throw new Error('there are changes that are not committed')
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`there is a tag v${version} already`)
}

/** Returns the changelog with what is unreleased under the version, and an empty section for what comes next. */
function moveUnreleased(text, version) {
  const [, before, changes = '', after] = /^(.*\n## Unreleased\n)(.*?)(\n## .*)$/s.exec(text) ?? []
  if (!/^[^#\s]/m.test(changes)) throw new Error('CHANGELOG.md has nothing under Unreleased')
  const today = new Date().toISOString().slice(0, 10)
  return `${before}\n## ${version} - ${today}\n${changes}${after}`
}

function setVersion(version) {
  writeJson('package.json', { ...readJson('package.json'), version })
  const lock = readJson('package-lock.json')
  lock.packages[''].version = version
  writeJson('package-lock.json', { ...lock, version })
}

const readText = (file) => readFileSync(join(root, file), 'utf8')
const readJson = (file) => JSON.parse(readText(file))
const writeJson = (file, value) => writeFileSync(join(root, file), `${JSON.stringify(value, null, 2)}\n`)
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['inherit', 'pipe', 'pipe'] }).trim()
