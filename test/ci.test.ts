import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'

test('the workflow runs the checks, the browser tests and every other test, and asks each day for vulnerable packages', () => {
  const workflow = readFileSync(join(projectRoot, '.github/workflows/ci.yml'), 'utf8')
  const parts = [...workflow.matchAll(/- part: (\w+)\n\s+run: (.+)/g)].map(([, part, run]) => [part, readWords(run!)])
  const folder = 'test/e2e/'
  expect(parts).toEqual([
    ['check', ['npm', 'run', 'check']],
    ['server', ['npm', 'test', '--', '--exclude', `${folder}**`]],
    ['browser', ['npm', 'test', '--', folder]],
  ])
  expect(workflow).toContain('cron: "17 5 * * *"')
  expect(workflow).toContain('run: npm audit --package-lock-only --audit-level=moderate')
})

/** Returns the words that the shell makes of a line: it expands a pattern of files that is not quoted. */
const readWords = (line: string): string[] =>
  execFileSync('bash', ['-c', `printf '%s\\n' ${line}`], { cwd: projectRoot, encoding: 'utf8' })
    .trim()
    .split('\n')
