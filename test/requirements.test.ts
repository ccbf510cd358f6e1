import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** `sentence` begins with the titles of the groups around it. */
type Proof = { id: string; sentence: string; file: string }

test('docs/requirements.md lists what the tests prove; `npm run requirements` writes it', async () => {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const proofs = files
    .filter((file) => /\.test\.tsx?$/.test(file))
    .flatMap(listProofs)
    .sort((one, other) => compare(one.id, other.id) || compare(one.file, other.file)) // then as in the file
  const areas = Map.groupBy(proofs, ({ id }) => id.replace(/-\d+$/, ''))
  const lists = [...areas].map(
    ([area, of]) => `## ${area}\n\n${of.map(({ id, sentence, file }) => `- ${id} ${sentence} (${file})\n`).join('')}`,
  )
  await expect(`${introduction}\n${lists.join('\n')}`).toMatchFileSnapshot('../docs/requirements.md')
})

const introduction = `# Requirements

Written by \`npm run requirements\` from the titles of the tests: each requirement with the sentences that prove it.
`

const compare = new Intl.Collator('en', { numeric: true }).compare

/** Reads titles as the formatter leaves them: a title is on one line, and a group ends with the indent it began with. */
function listProofs(file: string): Proof[] {
  const proofs: Proof[] = []
  const groups: { indent: string; title: string }[] = []
  for (const line of readFileSync(join(root, file), 'utf8').split('\n')) {
    if (line === `${groups.at(-1)?.indent}})`) groups.pop()
    const [, indent = '', , group] = /^( *)describe.*\((['"`])(.+)\2, (?:async )?\(/.exec(line) ?? []
    const [, , title, ids = ''] = /(['"`])((?:(?!\1).)+?)((?: ?\[[A-Z]+-\d[^\]]*\])+)\1/.exec(line) ?? []
    const sentence = [...groups.map((around) => around.title), title].join(': ')
    for (const [id] of ids.matchAll(/[A-Z]+-\d+/g)) proofs.push({ id, sentence, file })
    if (group) groups.push({ indent, title: title ?? group })
  }
  return proofs
}
