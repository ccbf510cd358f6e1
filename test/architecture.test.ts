import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, resolve } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The rules of the house that a reader could not see from one file. A refusal says where the thing belongs. When a rule is
 * in the way, first ask whether the thing stands in the right room; then change the rule here, with a decision page.
 */

/** Refusals we live with for now: the file, the rule's title, and why. One that is no longer needed must go. */
const exceptions: { file: string; rule: string; why: string }[] = []
const mostExceptions = 0

type Import = { to: string; typeOnly: boolean; lazy: boolean }
type Source = { file: string; text: string; imports: Import[] }

const root = resolve(import.meta.dirname, '..')
const sources = walk('src')
const byFile = new Map(sources.map((source) => [source.file, source]))
const code = sources.filter(({ file }) => /\.tsx?$/.test(file))
const isTest = (file: string) => /\.test\.tsx?$/.test(file)

// ——— names ———

rule('a domain is written in the closed vocabulary', () =>
  sources.filter(({ file }) => domainOf(file)).flatMap(({ file }) => unknownName(file)),
)

function unknownName(file: string): string[] {
  const name = basename(file).replace(/\.test(?=\.tsx?$)/, '')
  const subject = file.replace(/\.test(?=\.tsx?$)/, '')
  if (name.endsWith('.module.css')) return []
  if (isTest(file) && !existsSync(join(root, subject)) && !isNamed(name))
    return [`${file}: a test stands beside what it tests and is called after it`]
  if (/^[A-Z][A-Za-z0-9]*\.tsx$/.test(name) || name === 'screen.tsx') return []
  if (/^use[A-Z]/.test(name)) return [`${file}: a hook lives in the part that uses it, or in src/web when many do`]
  if (name.endsWith('.tsx'))
    return [`${file}: what is drawn is screen.tsx or a PascalCase.tsx; a named file holds no JSX`]
  if (isNamed(name)) return []
  return [
    `${file}: say what it is: table, contract, words, server, jobs, or a lower-case name of the condition it holds`,
  ]
}

const isNamed = (name: string) => /^[a-z][a-z0-9]*(-[a-z0-9]+)*\.ts$/.test(name)

rule('nothing is called after the kind of code it holds', () => {
  const vague = /^(utils?|helpers?|types?|constants?|services?|common|misc|index|barrel|manager)$/i
  return sources.flatMap(({ file }) => {
    const parts = file.split('/').map((part) => part.replace(/(\.test)?\.\w+$/, ''))
    const found = parts.find((part) => vague.test(part))
    return found ? [`${file}: "${found}" says nothing; put each part where it is used, or name the thing itself`] : []
  })
})

rule('a file has at most 250 lines, a file of tests 500', () =>
  code
    .filter(({ file, text }) => text.trimEnd().split('\n').length > (isTest(file) ? 500 : 250))
    .map(({ file }) => `${file}: it holds more than one thing; give the second its own named file beside it`),
)

// ——— who may import whom ———

rule('the contract folder imports the schema library and itself, nothing else', () =>
  code
    .filter(({ file }) => file.startsWith('src/contract/') && !isTest(file))
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ to }) => to !== 'zod' && !to.startsWith('src/contract/'))
        .map(({ to }) => `${file} imports ${to}: what needs that belongs to src/server, src/web or a domain`),
    ),
)

rule('the web never reaches the server, not even for a type', () => [
  ...code.filter(({ file }) => isWeb(file)).flatMap((source) => direct(source, isServer)),
  ...code.filter(({ file }) => isWeb(file) || isShared(file)).flatMap(({ file }) => reaches(file, isServer, isWeb)),
])

rule('the server never reaches the web', () =>
  code
    .filter(({ file }) => isServer(file))
    .flatMap((source) => [...direct(source, isWeb), ...reaches(source.file, isWeb, isServer)]),
)

/** Runs in a browser: all of src/web, and what a domain draws. Mails are drawn by the server. */
function isWeb(file: string): boolean {
  if (isTest(file)) return false
  return (
    file.startsWith('src/web/') || (domainOf(file) !== null && /\/(screen|[A-Z]\w*)\.tsx$/.test(file) && !isMail(file))
  )
}
/** NewLeadMail.tsx, MailFrame.tsx. */
const isMail = (file: string) => /\/([A-Z]\w*Mail|Mail[A-Z]\w*)\.tsx$/.test(file)
/** Runs in the server: its folder, the providers, and what a domain stores, answers and does by itself. */
function isServer(file: string): boolean {
  if (isTest(file)) return false
  if (/^src\/(server|providers)\//.test(file)) return true
  return domainOf(file) !== null && (/\/(table|server|jobs)\.ts$/.test(file) || isMail(file))
}
const isShared = (file: string) => /^src\/domains\/.*\/(contract|words)\.ts$/.test(file)

function direct({ file, imports }: Source, wrong: (file: string) => boolean): string[] {
  return imports.filter(({ to }) => wrong(to)).map(({ to }) => `${file} imports ${to}: ${sharedHome}`)
}
const sharedHome = 'what both sides must know belongs in the contract.ts or words.ts of its domain'

/** By way of named files, which may stand on either side; one that stands on ours answers for itself. */
function reaches(from: string, wrong: (file: string) => boolean, ours: (file: string) => boolean): string[] {
  const seen = new Set([from])
  const paths = [[from]]
  for (const path of paths) {
    for (const { to, typeOnly } of importsOf(path.at(-1)!)) {
      if (typeOnly || seen.has(to)) continue
      seen.add(to)
      if (wrong(to)) return path.length > 1 ? [`${[...path, to].join(' -> ')}: ${sharedHome}`] : []
      if (!ours(to)) paths.push([...path, to])
    }
  }
  return []
}

rule('a domain knows of another only its table, its contract and its words', () =>
  code
    .filter(({ file }) => domainOf(file) && !isTest(file))
    .flatMap(({ file, imports }) =>
      imports
        .filter(
          ({ to }) => domainOf(to) && domainOf(to) !== domainOf(file) && !/\/(table|contract|words)\.ts$/.test(to),
        )
        .map(({ to }) => `${file} imports ${to}: what two domains do alike belongs in src/server or src/web, by name`),
    ),
)

rule('no file imports itself by way of others', () => {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || done.has(file)) return
    for (const { to, typeOnly, lazy } of importsOf(file)) if (!typeOnly && !lazy) visit(to, [...path, file])
    done.add(file)
  }
  for (const { file } of code) visit(file, [])
  return cycles.map((cycle) => `${cycle}: move what both need into a third file, named after it`)
})

// ——— what only one place does ———

rule('only the settings read the environment', () =>
  code
    .filter(
      ({ file, text }) => file !== 'src/core/settings/settings.ts' && !isTest(file) && /\bprocess\.env\b/.test(text),
    )
    .map(
      ({ file }) =>
        `${file} reads process.env: declare it in src/core/settings/settings.ts, where it is checked at start`,
    ),
)

test('the list of exceptions only shrinks', () => {
  expect(exceptions.length, 'Mend the place instead of adding an exception').toBeLessThanOrEqual(mostExceptions)
})

// ——— how the rules above are asked ———

/** A rule answers its refusals, each beginning with the file that is refused. */
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

function walk(folder: string): Source[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return { file, text, imports: /\.tsx?$/.test(file) ? readImports(file, text) : [] }
    })
}

function readImports(file: string, text: string): Import[] {
  const found: Import[] = []
  const statement = /^(?:import|export)\s+(type\s+)?(?:(?:\*|\{|[A-Za-z_$])[^'"`;=()]*?\sfrom\s+)?['"]([^'"\n]+)['"]/gm
  for (const [, typeOnly, to] of text.matchAll(statement))
    found.push({ to: inRepository(file, to!), typeOnly: Boolean(typeOnly), lazy: false })
  for (const [, to] of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g))
    found.push({ to: inRepository(file, to!), typeOnly: false, lazy: true })
  return found
}

/** `./table.ts` and `#domains/…` as a path from the top of the repository; packages stay as they are written. */
function inRepository(file: string, to: string): string {
  if (to.startsWith('.')) return normalize(join(dirname(file), to))
  return to.startsWith('#') ? to.replace(/^#(?!test\/)/, 'src/').replace(/^#/, '') : to
}
