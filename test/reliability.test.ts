import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'

test('every row of docs/reliability.md is proved by a test that names it', () => {
  const rows = [...readFileSync(join(projectRoot, 'docs/reliability.md'), 'utf8').matchAll(/^\| R(\d+) /gm)].map(
    ([, row]) => Number(row),
  )
  expect(rows).toEqual(Array.from({ length: 31 }, (_, index) => index + 1))
  const titles = globSync('{src,test}/**/*.test.{ts,tsx}', { cwd: projectRoot }).flatMap((file) =>
    [
      ...readFileSync(join(projectRoot, file), 'utf8').matchAll(
        /(?:test|describe)(?:\.each)?\(\s*(?:[^'`]{0,200})['`](.*)['`]/g,
      ),
    ].map(([, title]) => title!),
  )
  const proved = new Set(
    titles.flatMap((title) => [...title.matchAll(/\((R\d+(?:, R\d+)*)\)/g)].flatMap(([, names]) => names!.split(', '))),
  )
  expect(rows.filter((row) => !proved.has(`R${row}`))).toEqual([])
})
