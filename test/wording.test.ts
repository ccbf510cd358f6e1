import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'

/** The product's own code and texts; the fakes speak as other programs do. */
const files = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(tsx?|md)$/.test(path) && !/\.test\.|fakes\/|\/cell-synonyms\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(projectRoot, 'src', path), 'utf8') }))
const filesWith = (pattern: RegExp) => files.flatMap(({ path, text }) => (pattern.test(text) ? [path] : []))

/** What people may read: literal texts of more than one word, and the guide. Names in backticks are those of the interface. */
const texts = files
  .flatMap(({ path, text }) =>
    (path.endsWith('.md') ? text.split('\n') : listTexts(path, text)).map((one) => [path, one] as const),
  )
  .map(
    ([path, one]) =>
      [
        path,
        one
          .replace(/`[^`]*`/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      ] as const,
  )
  .filter(([, one]) => one.includes(' ') && !/^(select|update|delete|insert|with|copy|alter) |^[A-Z]+ \/\S*$/.test(one))

/** The exceptions of a rule: the text, and why it stays. One that is not needed must go. */
type Exceptions = Readonly<Record<string, string>>

function listBreaches(pattern: RegExp, exceptions: Exceptions = {}) {
  const found = texts.filter(([, one]) => pattern.test(one))
  const unneeded = Object.keys(exceptions).filter((one) => !found.some(([, text]) => text.includes(one)))
  const breaches = found.flatMap(([path, one]) =>
    Object.keys(exceptions).some((kept) => one.includes(kept)) ? [] : [`${path}: ${one}`],
  )
  return [...breaches, ...unneeded.map((one) => `unneeded exception: ${one}`)]
}

test('texts are found in code, screens and the guide', () => {
  expect(files.length).toBeGreaterThan(1000)
  expect(texts.length).toBeGreaterThan(4000)
  const found = texts.map(([, one]) => one)
  expect(found).toContain('This lead was reassigned') // of a server
  expect(found).toContain('Signals have changed. Show them') // between tags
  expect(found).toContain('Test lead: …') // with a value in it
  expect(found.some((one) => one.includes('Press **Preview**') || one.includes('press **Preview**'))).toBe(true)
})

test('money is formatted in one place [DESK-09]', () => {
  expect(filesWith(/currency: 'USD'/)).toEqual(['contract/money.ts'])
})

test('what is missing is an en dash, never a longer one [DESK-09]', () => {
  expect(filesWith(/'—'|>—</)).toEqual([])
  expect(listBreaches(/—/)).toEqual([])
})

test('texts say email, time zone, CallRail and audit trail [DESK-09, DESK-10]', () => {
  expect(
    listBreaches(/(?<![-@./\w])mail(s|ed|ing)?\b(?! server)/i, {
      'statement mailing': 'where a text is sealed, which no one reads',
      '<title>Caught emails</title>': 'a page with its markup',
      'youremail mail customeremail': 'names of fields in what comes in',
    }),
  ).toEqual([])
  expect(
    listBreaches(/\btimezones?\b/i, {
      'Client timezone': 'the column as specified',
      'client timezone': 'a heading that files to import may have',
    }),
  ).toEqual([])
  expect(listBreaches(/\bCallrail\b/, { 'Callrail Lead ID': 'the field as specified' })).toEqual([])
  expect(listBreaches(/\bany more\b/i)).toEqual([])
  expect(
    listBreaches(/\baudit log\b/i, {
      'an export that broke off is not in the audit log': 'a line of the log, for operators',
    }),
  ).toEqual([])
})

test('texts say what happened in plain words, with a noun [DESK-10]', () => {
  expect(
    listBreaches(/would be usual|come again|no longer news|by chance\b|once in \d|of 10 cases/i, {
      '1 in … by chance': 'a title, where odds may stand',
    }),
  ).toEqual([])
  expect(
    listBreaches(/\b(whoever|somebody|nobody|meanwhile|anew|shall)\b/i, {
      'somebody has changed it since': 'as specified (MOVE-04)',
      'postgres or nobody': 'an account of the machine',
    }),
  ).toEqual([])
  expect(
    listBreaches(/^(It|Its|They|Their)\b/, {
      'It was not': 'after “We fetched 1 lead CallRail didn’t send.”',
      'They fill in Progress': 'after the paragraph of the guide that names clients',
      'It says how amounts and dates': 'after the paragraph of the guide that names the import',
    }),
  ).toEqual([])
})

test('titles that people did not understand are gone [DESK-10]', () => {
  const old = [
    'Everything is quiet',
    'Link is lost',
    'Source is silent',
    'Webhooks are lost',
    'Leads probably lost so far',
    'Give back',
    'Make task',
    'Where it stands',
    'Waiting for a verdict',
    'Chance of the target',
    'Expected at the end',
    'Needed per working day',
    'Rests on',
    'How often it was right',
    'What if the target were',
    'Differing from status',
    'no cause found in what is recorded',
    'Too few to say.',
    'did not come in through',
    'Put back',
    'no hook reported it',
    'Not saved, this is newer',
    'and go on, or undo it',
    'Its line in',
    'Outgoing links to it',
    'No report was made yet',
    'Only super admins see this campaign',
    'They get each lead too',
    'Standing at Google',
    'Gone from Google',
    'Needs re-link',
    'Pending edits',
    'What does … see?',
    'it does not exist for them',
    'Tags and sources of leads',
    'No page is taken away',
    'are no longer theirs to change',
    'Leadline itself',
    'Nothing is written before you have seen',
    'The file holds',
    'Price of a',
    'Days to dispute',
    'up to the cap; disputed',
    'not decided yet',
    'the lead is no longer verified',
    'has only the screens that you may open',
    'Saying how it went',
    'Going anywhere',
    'At the keyboard',
    'Did it hit the target?',
    'You are receiving this email',
  ]
  expect(texts.filter(([, one]) => old.some((title) => one.includes(title)))).toEqual([])
})

/** Returns the strings, templates and texts between tags of a file; in place of a value stands `…`. */
function listTexts(path: string, source: string): string[] {
  return [...readTexts(parseSync(path, source).program)]
}

type SyntaxNode = { type: string } & Record<string, unknown>

function* readTexts(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const one of node) yield* readTexts(one)
  if (!isSyntaxNode(node) || (/^(Import|Export\w+)Declaration$/.test(node.type) && node.source)) return
  if (node.type === 'TaggedTemplateExpression' && (node.tag as SyntaxNode).name === 'sql') return
  if (node.type === 'Literal' && typeof node.value === 'string') yield node.value
  if (node.type === 'TemplateLiteral')
    yield (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')
  if (node.type === 'JSXElement')
    yield (node.children as SyntaxNode[]).map((child) => (child.type === 'JSXText' ? child.value : '…')).join('')
  for (const inside of Object.values(node)) yield* readTexts(inside)
}

function isSyntaxNode(node: unknown): node is SyntaxNode {
  return typeof node === 'object' && node !== null && 'type' in node
}
