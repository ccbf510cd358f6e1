import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#core/settings/settings.ts'

const domains = ['leads', 'campaigns', 'reports', 'imports']

/** Tests that no cluster can pass, by title, with the reason. */
const leftOut = {
  'the search’s index also serves the weeks of the days [LEAD-72]': 'reads the plan of a single machine',
  'a change locks the groups of a lead before it waits for its row': 'looks for the row’s lock on the coordinator',
  'the undo of an import locks the groups of a lead before it waits for its row':
    'looks for the row’s lock on the coordinator',
  'leads from before the upgrade are told apart: by their site, and by that of their first event if they were moved since':
    'repeats a migration, which comes before the tables are distributed',
  'sums equal the leads after any writes by the store and others, folds and rebuilds':
    'writes leads past the program, which needs triggers',
  'a lead with a very large id opens by its key, like any other':
    'restarts the counter of ids, which Citus does not allow on a distributed table',
  'concurrent and rolled back writes by the store and others, folds and rebuilds leave correct sums':
    'writes leads past the program, which needs triggers',
}

/** Runs server tests on PostgreSQL and fails those that send a statement which Citus would refuse. Returns whether all passed. */
export function checkStatements(paths: readonly string[]): boolean {
  const { status } = runTests([...paths, '--exclude', '**/ui/**'])
  return status === 0
}

const runTests = (args: string[]) =>
  spawnSync(process.execPath, [join(projectRoot, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, CHECK_CITUS: '1' },
  })

type TestReport = { testResults: { assertionResults: { title: string; status: string }[] }[] }
export type TestOutcome = { passed: number; failed: string[]; leftOut: Record<string, string> }

/** Runs the server tests of four domains on the cluster of `CITUS_URL`. Throws if a test that is left out does not exist. */
export function runCitusTests(folder: string): TestOutcome {
  const titles = Object.keys(leftOut)
  const file = join(folder, 'tests.json')
  runTests([
    ...domains.map((domain) => `src/domains/${domain}/`),
    ...['--exclude', '**/ui/**', '--reporter', 'default', '--reporter', 'json', `--outputFile.json=${file}`],
    ...['--testNamePattern', `^(?!.*(?:${titles.map((title) => title.replace(/[[\]().]/g, '\\$&')).join('|')})$)`],
  ])
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as TestReport // as vitest writes it
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const titlesThat = (...statuses: string[]) =>
    tests.filter(({ status }) => statuses.includes(status)).map(({ title }) => title)
  const missing = titles.filter((title) => !titlesThat('skipped', 'pending').includes(title))
  if (missing.length > 0) throw new Error(`these tests are left out, but do not exist:\n${missing.join('\n')}`)
  return { passed: titlesThat('passed').length, failed: titlesThat('failed'), leftOut }
}
