import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, resolve } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The architecture rules that a reader could not see from one file. A failure says where the code belongs. If a rule is
 * in the way, first check whether the code is in the right place; then change the rule here, with a decision page.
 */

/** Exceptions for now: the file, the rule's title, and the reason. An unneeded exception must be removed. */
const exceptions: { file: string; rule: string; why: string }[] = []
const mostExceptions = 0

type Import = { to: string; isLazy: boolean }
type Source = { file: string; text: string; imports: Import[] }

const root = resolve(import.meta.dirname, '..')
const sources = walk('src')
const byFile = new Map(sources.map((source) => [source.file, source]))
const code = sources.filter(({ file }) => /\.tsx?$/.test(file))
const isTest = (file: string) => /\.test\.tsx?$/.test(file)
/** Files that ship: no tests. */
const production = code.filter(({ file }) => !isTest(file))

// ——— styles ———

rule('a component of the library is imported together with its styles', () => {
  const imported = readFileSync(join(root, 'src/ui/theme/mantine.css'), 'utf8')
  const isStyled = (name: string) => existsSync(join(root, `node_modules/@mantine/core/styles/${name}.layer.css`))
  return production.flatMap(({ file, text }) =>
    [...text.matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)]
      .flatMap(([, names]) => names!.match(/\b[A-Z]\w*/g) ?? [])
      .filter((name) => isStyled(name) && !imported.includes(`/${name}.layer.css`))
      .map((name) => `${file}: ${name} has no styles; import them in src/ui/theme/mantine.css`),
  )
})

// ——— migrations ———

rule('one snapshot of the schema is kept, the newest', () =>
  readdirSync(join(root, 'migrations/meta'))
    .filter((file) => file.endsWith('_snapshot.json'))
    .toSorted()
    .slice(0, -1)
    .map((file) => `migrations/meta/${file}: drizzle-kit compares with the newest only; delete this one`),
)

// ——— names ———

rule('a file is named in the vocabulary of the project', () =>
  code.flatMap(({ file }) => {
    const name = basename(file).replace(/\.test(?=\.tsx?$)/, '')
    const subject = file.replace(/\.test(?=\.tsx?$)/, '')
    if (isTest(file))
      return existsSync(join(root, subject)) || isKebab(name.replace(/x$/, '')) ? [] : [`${file}: ${fileNames}`]
    if (/^[A-Z][A-Za-z0-9]*\.tsx$/.test(name) || isKebab(name.replace(/x$/, ''))) return []
    if (/^use[A-Z][A-Za-z0-9]*\.ts$/.test(name) && sideOf(file) === 'browser') return []
    return [`${file}: ${fileNames}`]
  }),
)
const isKebab = (name: string) => /^[a-z][a-z0-9]*(-[a-z0-9]+)*\.ts$/.test(name)
const fileNames = 'a component is PascalCase.tsx, a hook useX.ts in a ui folder, everything else lower-case-words.ts'

rule('nothing is named after the kind of code it holds', () => {
  const vague = /^(utils?|helpers?|types?|constants?|services?|common|misc|index|barrel|manager)$/i
  return sources.flatMap(({ file }) => {
    const parts = file.split('/').map((part) => part.replace(/(\.test)?\.\w+$/, ''))
    const found = parts.find((part) => vague.test(part))
    return found ? [`${file}: "${found}" says nothing; put each part where it is used, or name the thing itself`] : []
  })
})

rule('fewer than one in ten top-level names is a single word', () => {
  const names = production.flatMap(({ text }) =>
    [
      ...text.matchAll(/^(?:export )?(?:default )?(?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/gm),
    ].map(([, name = '']) => name),
  )
  const single = names.filter((name) => !/[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|_/.test(name))
  return single.length / names.length < 0.1 ? [] : [`${single.length} of ${names.length} names: ${single.join(' ')}`]
})

// ——— exports ———

rule('what a file exports, another file names', () => {
  const filesByWord = new Map<string, Set<string>>()
  for (const { file, text } of [...sources, ...others])
    for (const word of new Set(text.match(/\w+/g)))
      filesByWord.set(word, (filesByWord.get(word) ?? new Set()).add(file))
  const isUsed = (name: string, file: string) =>
    [...filesByWord.get(name)!].some((user) => user !== file && !(isDoor(file) && domainOf(user) === domainOf(file)))
  return production
    .filter(({ file }) => !file.endsWith('/schema.ts')) // drizzle-kit reads every table
    .flatMap(({ file, text }) =>
      exportedNames(text)
        .filter((name) => !isUsed(name, file))
        .map((name) => `${file} exports ${name}: no other file needs it`),
    )
})
const isDoor = (file: string) => file.endsWith('/public.ts')
/** The databases of benchmarks are under bench/ too. */
const others = [
  ...['bench', 'gallery', 'machines', 'soak', 'test'].flatMap((folder) => walk(folder, /\.tsx?$/)),
  readSource('vite.config.ts'),
]

function exportedNames(text: string): string[] {
  const declared = text.matchAll(/^export (?:async )?(?:const|function\*?|class|type|interface) (\w+)/gm)
  const listed = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)
  return [...declared, ...[...listed].flatMap(([, names]) => [...names!.matchAll(/(\w+)\s*(?:,|$)/g)])].map(
    ([, name]) => name!,
  )
}

// ——— layers, sides and doors ———

const layers = { contract: 0, core: 1, ui: 1, integrations: 1, domains: 2, app: 3 } as const
const layerOf = (file: string) => file.split('/')[1] as keyof typeof layers // src has these six folders

rule('src holds the five layers and nothing else', () =>
  [...new Set(sources.map(({ file }) => file.split('/')[1]!))]
    .filter((folder) => !Object.hasOwn(layers, folder))
    .map((folder) => `src/${folder}: it belongs in one of ${Object.keys(layers).join(', ')}`),
)

rule('imports point one way: contract <- core, ui, integrations <- domains <- app', () =>
  production.flatMap(({ file, imports }) =>
    imports
      .filter(({ to }) => to.startsWith('src/') && layerOf(to) !== layerOf(file))
      .filter(({ to }) => layers[layerOf(to)] >= layers[layerOf(file)])
      .map(({ to }) => `${file} imports ${to}: hand it in from above, or move what both need below them`),
  ),
)

rule('the contract layer imports the schema library and itself, nothing else', () =>
  production
    .filter(({ file }) => layerOf(file) === 'contract')
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ to }) => to !== 'zod' && !to.startsWith('src/contract/'))
        .map(({ to }) => `${file} imports ${to}: what needs that belongs in core, ui or a domain`),
    ),
)

/** The side that a file runs on, by its folder. Files for both sides are at the top of a domain or its part. */
function sideOf(file: string): 'server' | 'browser' | 'both' {
  if (/^src\/(ui|app\/(ui|find|guide|layout|tour))\/|\/ui\/|\/ui-part\.ts$/.test(file)) return 'browser'
  if (
    /^src\/(core|integrations|app)\/|\/(server|model)\/|\/(schema|public|part|app-context|app-settings|server-part)\.ts$/.test(
      file,
    )
  )
    return 'server'
  return 'both'
}

rule('browser and server never import each other, and what both know imports neither', () =>
  production.flatMap(({ file, imports }) =>
    imports
      .filter(({ to }) => to.startsWith('src/') && !/\.(css|svg|webp)$/.test(to))
      .filter(({ to }) => sideOf(to) !== 'both' && sideOf(to) !== sideOf(file))
      .map(({ to }) => `${file} (${sideOf(file)}) imports ${to} (${sideOf(to)}): ${sharedHome}`),
  ),
)
const sharedHome = 'what both sides must know belongs in the contract.ts, fields.ts or labels.ts of its domain'

rule('what ships loads neither the demo nor the fakes; the seed command loads the demo when it is run', () => {
  const isForShow = (file: string) => /^src\/(app\/demo|integrations\/fakes)\//.test(file)
  return production
    .filter(({ file }) => !isForShow(file))
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ to, isLazy }) => isForShow(to) && !(isLazy && file === 'src/app/cli/seed.ts'))
        .map(({ to }) => `${file} imports ${to}: move what both need out of it`),
    )
})

rule('a domain knows of another its contract, fields, labels and schema, and calls its public.ts', () =>
  production
    .filter(({ file }) => domainOf(file))
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ to }) => domainOf(to) && domainOf(to) !== domainOf(file))
        .filter(({ to }) => !/\/(contract|fields|labels|schema|public)\.tsx?$/.test(to))
        .map(({ to }) => `${file} imports ${to}: export it from ${domainFolder(to)}/public.ts`),
    ),
)
const domainFolder = (file: string) => `src/domains/${domainOf(file)}`

rule('no file imports itself by way of others, type imports included', () => {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || done.has(file)) return
    for (const { to } of importsOf(file)) visit(to, [...path, file])
    done.add(file)
  }
  for (const { file } of production) visit(file, [])
  return cycles.map((cycle) => `${cycle}: move what both need into a third file, named after it`)
})

// ——— parts ———

rule('app lists every part that a domain declares', () =>
  production
    .filter(({ file }) => /^src\/domains\/\w+\/(ui\/)?part\.ts$/.test(file))
    .map(({ file }) => ({ file, list: file.includes('/ui/') ? 'src/app/ui/parts.ts' : 'src/app/server/parts.ts' }))
    .filter(({ file, list }) => !importsOf(list).some(({ to }) => to === file))
    .map(({ file, list }) => `${file} is not listed in ${list}`),
)

rule('router, menu and Find know the domains by what their parts declare', () =>
  production
    .filter(({ file }) => /^src\/app\/(find\/|ui\/(router|menu)\.)/.test(file))
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ to }) => domainOf(to) && domainOf(to) !== 'access') // who is signed in
        .map(({ to }) => `${file} imports ${to}: declare it in ${domainFolder(to)}/ui/part.ts`),
    ),
)

rule('every screen is declared', () => {
  const loaded = new Set(
    production.flatMap(({ imports }) => imports.filter(({ isLazy }) => isLazy).map(({ to }) => to)),
  )
  return production
    .filter(({ file }) => /^src\/domains\/.*screen\.tsx$/.test(file) && !loaded.has(file))
    .map(({ file }) => `${file} is not loaded: declare it in ${domainFolder(file)}/ui/part.ts`)
})

rule('a list is described by its fields, or says why it is not', () =>
  production
    .filter(({ file }) => domainOf(file))
    .flatMap(({ file, text }) =>
      text
        .split(/\bpagedQuery\(\{/)
        .slice(0, -1)
        .filter((before) => !before.split('\n').slice(-2).join().includes('docs/decisions/025'))
        .map(() => `${file} calls pagedQuery: use pagedFields, or say why not above it (docs/decisions/025)`),
    ),
)

rule('a table that a screen names is declared by its domain', () =>
  production
    .filter(({ file }) => domainOf(file) && sideOf(file) === 'browser')
    .flatMap(({ file, text }) => {
      const part = `${domainFolder(file)}/part.ts`
      const declared = byFile.get(part)?.text.match(/\btables: \[[^\]]*\]|\bsavedViews: \{[^}]*\}/g) ?? []
      return [...text.matchAll(/\btable="([\w-]+)"/g)]
        .map(([, name = '']) => name)
        .filter((name) => !declared.some((list) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(list)))
        .map((name) => `${file} names the table ${name}: add it to \`tables\` of ${part}`)
    }),
)

/** Pairs of domains that import each other, and why. Each is a debt: the list only shrinks. */
const mutualPairs: Readonly<Record<string, string>> = {
  'access and campaigns': 'who may see what is a row about campaigns; a campaign’s handlers are users',
  'access and clients': 'a client has a login account; what it may see is its campaigns',
  'access and messages': 'an invitation is an email; a message belongs to a user',
  'billing and leads': 'a client’s Not Lead opens a dispute; a statement counts leads',
  'campaigns and clients': 'a campaign belongs to a client, who is seen through the campaigns one may see',
  'campaigns and listings': 'a campaign’s row counts its listings; a listing belongs to a campaign',
  'campaigns and sites': 'the form of a campaign assigns its sites; a site belongs to a campaign',
}

test('two domains import each other only where the list above says so; a pair that no longer does is removed from it', () => {
  const arrows = new Set(
    production
      .filter(({ file }) => domainOf(file))
      .flatMap(({ file, imports }) => imports.map(({ to }) => `${domainOf(file)} ${domainOf(to)}`)),
  )
  const found = [...arrows].flatMap((arrow) => {
    const [from, to] = arrow.split(' ') as [string, string] // built above
    return from < to && arrows.has(`${to} ${from}`) ? [`${from} and ${to}`] : []
  })
  expect(found.sort(), moveBelow).toEqual(Object.keys(mutualPairs))
})
const moveBelow =
  'What two domains need of each other belongs below both, in the one that it is about, or is handed in by app'

// ——— things that only one place does ———

/** Each table's name in PostgreSQL, with the domain (or core) whose schema.ts declares it. */
const tableOwners = new Map(
  production
    .filter(({ file }) => file.endsWith('/schema.ts'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/pgTable\(\s*'(\w+)'/g)].map(
        ([, name = '']) => [name, domainOf(file) ?? layerOf(file)] as const,
      ),
    ),
)
/** The variable of each table, with its owner. */
const tableVariables = new Map(
  production
    .filter(({ file }) => file.endsWith('/schema.ts'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^export const (\w+) = pgTable\(/gm)].map(
        ([, name = '']) => [name, domainOf(file) ?? layerOf(file)] as const,
      ),
    ),
)
const ownerOf = (file: string) => domainOf(file) ?? layerOf(file)

rule('a table is written by the domain that declares it', () =>
  production
    .filter(({ file }) => ownerOf(file) !== 'app')
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\.(?:insert|update|delete)\((\w+)\)/g)]
        .map(([, name = '']) => name)
        .filter((name) => tableVariables.has(name) && tableVariables.get(name) !== ownerOf(file))
        .map((name) => `${file} writes ${name}: call a function of ${tableVariables.get(name)}/public.ts`),
    ),
)

rule('a raw string of SQL never names a table of another domain', () =>
  production
    .filter(({ file }) => ownerOf(file) !== 'app')
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\b(?:from|join|into|update)\s+(?:only\s+)?(\w+)\b/gi)]
        .map(([, name = '']) => name)
        .filter((name) => tableOwners.has(name) && tableOwners.get(name) !== ownerOf(file))
        .map((name) => `${file} names ${name} in a string: use the table of its schema.ts`),
    ),
)

/** The store, the counts of duplicates and first calls (they set one flag of rows that the store has written), and the erasure of a person. */
const leadWriters = ['store', 'first-call', 'duplicates', 'erase-leads'].map(
  (name) => `src/domains/leads/model/${name}.ts`,
)

rule('leads are written by leads/model/store.ts and the columns it counts only', () =>
  production
    .filter(({ file }) => !leadWriters.includes(file) && layerOf(file) !== 'app')
    .filter(({ text }) =>
      /\.(insert|update|delete)\(leadsTable\)|\b(insert into|update|delete from) (\$\{leadsTable\}|leads)\b/.test(text),
    )
    .map(({ file }) => `${file} writes leads: call insertLeads or updateLead of leads/model/store.ts`),
)

rule('only the settings read the environment', () =>
  production
    .filter(({ file, text }) => file !== 'src/core/settings/settings.ts' && /\bprocess\.env\b/.test(text))
    .map(
      ({ file }) =>
        `${file} reads process.env: declare it in the settings of what it belongs to, where it is checked at start`,
    ),
)

test('the list of exceptions only shrinks', () => {
  expect(exceptions.length, 'Mend the place instead of adding an exception').toBeLessThanOrEqual(mostExceptions)
})

// ——— helpers ———

/** A rule returns its violations, each starting with the file. */
function rule(title: string, refusals: () => string[]) {
  test(title, () => {
    const mine = exceptions.filter((exception) => exception.rule === title)
    const all = [...new Set(refusals())]
    const refused = all.filter((refusal) => !mine.some(({ file }) => refusal.startsWith(file)))
    const needless = mine.filter(({ file }) => !all.some((refusal) => refusal.startsWith(file)))
    expect.soft(refused, `${title}:\n${refused.join('\n')}`).toEqual([])
    expect(needless, 'These exceptions are no longer needed: remove them').toEqual([])
  })
}

/** The first folder under src/domains; its sub-folders belong to it. */
function domainOf(file: string): string | null {
  return file.match(/^src\/domains\/([^/]+)\//)?.[1] ?? null
}

function importsOf(file: string): Import[] {
  return byFile.get(file)?.imports ?? []
}

function walk(folder: string, files = /./): Source[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && files.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
    .map(readSource)
}

function readSource(file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  return { file, text, imports: /\.tsx?$/.test(file) ? readImports(file, text) : [] }
}

function readImports(file: string, text: string): Import[] {
  const found: Import[] = []
  const statement =
    /^(?:import|export)\s+(?:type\s+)?(?:(?:\*|\{|[A-Za-z_$])[^'"`;=()]*?\sfrom\s+)?['"]([^'"\n]+)['"]/gm
  for (const [, to] of text.matchAll(statement)) found.push({ to: inRepository(file, to!), isLazy: false })
  for (const [, to] of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g))
    found.push({ to: inRepository(file, to!), isLazy: true })
  return found
}

/** `./table.ts` and `#domains/…` as a path from the top of the repository; packages stay as they are written. */
function inRepository(file: string, to: string): string {
  if (to.startsWith('.')) return normalize(join(dirname(file), to))
  return to.startsWith('#') ? to.replace(/^#(?!test\/)/, 'src/').replace(/^#/, '') : to
}
