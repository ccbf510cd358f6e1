import fc from 'fast-check'
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { expect, test } from 'vitest'
import { cleanText } from '#contract/clean-text.ts'
import { drawPdf } from '#core/pdf/tagged-pdf.ts'
import { describeReportPdf, type ReportPdfProps } from './report-pdf.ts'

const day = '2026-11-09'
const span = { from: '2026-11-01', to: '2026-11-30' }
const leadCount = 60
/** Longer than a page. */
const longNote = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ')
const email = 'somebody.with.a.very.long.name@a-company-with-a-long-name.example.com'

const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const report: ReportPdfProps = {
  agency: { name: 'North Star Leads', color: '#0a7d4f' },
  client: { name: 'Zoë Müller Ελλάδα', timezone: 'America/Denver', timezone_name: 'MST' },
  period: 'month',
  ...span,
  days_timezone_name: 'EST',
  says: '60 verified leads, 48 above the target of 12.',
  verified: leadCount,
  verified_before: null,
  under_review: 0,
  missed: 1,
  target: 12,
  won: 2,
  won_value: 1250.3,
  campaigns: [{ name: 'Acme Denver', ...span, verified: leadCount, missed: 1, target: 12 }],
  weeks: [{ ...span, verified: leadCount, missed: 1 }],
  sources: [{ source: 'Google Maps', verified: leadCount }],
  missed_calls: [],
  leads: Array.from({ length: leadCount }, (_, index) => ({
    id: index,
    at: `${day}T17:12:00.000Z`,
    when: 'Nov 9, 2026, 10:12 AM MST',
    campaign: 'Acme Denver',
    type: 'Form',
    name: `Lead ${index}`,
    phone: null,
    email: index === 0 ? email : null,
    location: null,
    source: null,
    progress: null,
    rating: null,
    value: null,
    message: 'Please call',
    duration: null,
    under_review: false,
  })),
  disputes: [],
  done: [{ date: day, campaign: 'Acme Denver', note: longNote }],
}

const drawReport = (props: ReportPdfProps, image: Uint8Array | null = logo) => drawPdf(describeReportPdf(props, image))
const openFile = async (props: ReportPdfProps, image: Uint8Array | null = logo) =>
  getDocumentProxy(new Uint8Array(await drawReport(props, image)))
type PdfFile = Awaited<ReturnType<typeof openFile>>
type StructureNode = { role?: string; children?: StructureNode[]; type?: string; id?: string; alt?: string }
type MarkedItem = { type?: string; id?: string; tag?: string; str?: string }

/** Returns the elements with their own text in the order of a screen reader, what is read in its place, and the text outside of the structure. */
async function readAloud(file: PdfFile) {
  const read: { role: string; text: string }[] = []
  const instead: string[] = []
  const artifacts: string[] = []
  for (let number = 1; number <= file.numPages; number += 1) {
    const page = await file.getPage(number)
    const { items } = await page.getTextContent({ includeMarkedContent: true })
    const texts = new Map<string, string>()
    const open: (string | null)[] = []
    for (const item of items as MarkedItem[]) {
      if (item.type?.startsWith('beginMarkedContent')) open.push(item.id ?? null)
      else if (item.type === 'endMarkedContent') open.pop()
      else if (item.str) {
        const id = open.at(-1)
        if (id) texts.set(id, (texts.get(id) ?? '') + item.str)
        else artifacts.push(item.str)
      }
    }
    const walk = ({ role, children = [], type, id, alt }: StructureNode, inside: string) => {
      const isFigure = role === 'Figure'
      if (alt && !isFigure) instead.push(alt)
      const text = type === 'content' && id ? texts.get(id) : isFigure ? alt : undefined
      if (text?.trim()) read.push({ role: role ?? inside, text: text.trim() })
      for (const child of children) walk(child, role ?? inside)
    }
    walk((await page.getStructTree()) as StructureNode, '')
  }
  return { read, instead, artifacts }
}

test('the file is tagged: a title, a language, headings, figures and tables with heads, as another program reads them [RPT-01]', async () => {
  const file = await openFile(report)
  expect((await file.getMetadata()).info).toMatchObject({
    Title: 'Zoë Müller Ελλάδα: Nov 1 – 30, 2026',
    Language: 'en-US',
    Author: 'North Star Leads',
  })
  expect(await file.getMarkInfo()).toMatchObject({ Marked: true })
  expect(await file.getViewerPreferences()).toMatchObject({ DisplayDocTitle: true })
  const { read, artifacts } = await readAloud(file)
  const of = (wanted: string) => read.filter(({ role }) => role === wanted).map(({ text }) => text)
  expect(of('Figure')).toEqual(['Logo of North Star Leads'])
  expect(of('H1')).toEqual(['Zoë Müller Ελλάδα'])
  expect(of('H2')).toEqual(['Campaigns', 'By week', 'By source', 'What was done', 'Leads'])
  expect(of('P')).toEqual([
    'North Star Leads',
    'Month: Nov 1 – 30, 2026. Times are MST; days begin at midnight EST.',
    report.says,
  ])
  expect(of('Lbl')).toEqual(['Verified leads', 'Target', 'Missed calls', 'Won', 'Won value'])
  expect(of('LBody')).toEqual([String(leadCount), '12', '1', '2', '$1,250.30'])
  // A table head is read once, however many pages repeat it.
  expect(of('TH').slice(-9)).toEqual([
    'Day',
    'Campaign',
    'Note',
    'When',
    'Name',
    'Contact',
    'Asked',
    'Progress',
    'Value',
  ])
  expect(of('TD').filter((text) => text.startsWith('Lead '))).toHaveLength(leadCount)
  expect(of('TD').filter((text) => text === 'Please call')).toHaveLength(leadCount)
  expect(artifacts.filter((text) => text === 'Contact').length).toBeGreaterThan(0)
  expect(artifacts).toContain(`1 / ${file.numPages}`)
})

test('a time stays on one line beside a long address [DESK-06]', async () => {
  const won = { email: 'rebecca.rogers@example.com', progress: 2, value: 10_185 }
  const leads = report.leads.slice(0, 3).map((lead) => ({ ...lead, ...won, when: 'Wed, Nov 18, 12:02 PM' }))
  const page = await (await openFile({ ...report, leads, done: [] })).getPage(1)
  const { items } = await page.getTextContent()
  const lines = items.flatMap((item) => ('str' in item && /12:02|PM/.test(item.str) ? [item.str] : []))
  expect(lines).toEqual(Array(3).fill(expect.stringMatching(/12:02 PM$/)))
})

test('a large amount in the figures stays on its line [RPT-01]', async () => {
  for (const [won_value, text] of [
    [12_345.5, '$12,345.50'],
    [1_234_567.5, '$1,234,567.50'],
  ] as const) {
    const page = await (await openFile({ ...report, won_value })).getPage(1)
    const { items } = await page.getTextContent()
    expect(items.map((item) => ('str' in item ? item.str : null))).toContain(text)
  }
})

test('the metadata stays valid when a name has an ampersand [RPT-01]', async () => {
  const drawn = await drawReport({ ...report, agency: { ...report.agency, name: 'R & D <Leads>' } })
  expect(drawn.toString('utf8')).toContain('<rdf:li>R &amp; D &lt;Leads&gt;</rdf:li>')
  expect((await (await getDocumentProxy(new Uint8Array(drawn))).getMetadata()).info).toMatchObject({
    Author: 'R & D <Leads>',
  })
})

test('no letter is lost where lines, words and rows are broken [RPT-01]', async () => {
  const { read } = await readAloud(await openFile(report))
  const cells = read.filter(({ role }) => role === 'TD').map(({ text }) => text)
  const letters = cells.join('').replaceAll(/\s/g, '')
  expect(letters).toContain(longNote.replaceAll(' ', ''))
  expect(letters).toContain(email)
})

test('a letter stays when the fonts do not have the sign over it [RPT-01]', async () => {
  const done = [{ date: day, campaign: 'Roof\u{1133b}ing', note: '山\u{1133b}田' }]
  const { read } = await readAloud(await openFile({ ...report, done }))
  expect(read.map(({ text }) => text)).toEqual(expect.arrayContaining(['Roof?ing', '山?田']))
})

test('Chinese, Japanese, Korean and emoji stand as they were written, and plain digits beside them [RPT-01]', async () => {
  const notes = ['山田様、屋根が漏れます', '지붕 수리 5시', '屋顶漏水', 'Call 5️⃣ at 5 👍 🔥 👩‍👩‍👧 ❤️ 🇬🇷']
  const done = notes.map((note) => ({ date: day, campaign: 'Roofing', note }))
  const { read } = await readAloud(await openFile({ ...report, done }))
  expect(read.map(({ text }) => text)).toEqual(expect.arrayContaining(notes))
})

type Glyph = { unicode: string; originalCharCode: number }

/** Draws a report with a note, and returns the glyphs of its page from left to right, line by line, and what is read in place of them. */
async function drawNote(note: string) {
  const file = await openFile({ ...report, leads: [], done: [{ date: day, campaign: 'Roofing', note }] })
  const [page, { OPS }] = [await file.getPage(1), await getResolvedPDFJS()]
  const { fnArray, argsArray } = await page.getOperatorList()
  const shown: { x: number; y: number; glyphs: Glyph[] }[] = []
  let [x, y] = [0, 0]
  for (const [index, name] of fnArray.entries()) {
    const [first] = argsArray[index] ?? []
    if (name === OPS.setTextMatrix) [, , , , x, y] = first
    if (name === OPS.showText) shown.push({ x, y, glyphs: first.filter((one: unknown) => typeof one === 'object') })
  }
  const lines = [...Map.groupBy(shown, (one) => one.y).values()].map((line) =>
    line.toSorted((one, other) => one.x - other.x).flatMap(({ glyphs }) => glyphs),
  )
  return {
    lines,
    texts: lines.map((line) => line.map(({ unicode }) => unicode).join('')),
    instead: (await readAloud(file)).instead,
  }
}

test('Hebrew and Arabic run from right to left, with joined letters, around the names, numbers and brackets in them [RPT-01]', async () => {
  const notes = {
    'התקשר אל John (דחוף) 17:30': 'לא רשקתה John (ףוחד) 17:30',
    'Call ל־5, כהן!': 'Call ןהכ ,5־ל!',
    'ببب، ١٢٣ ۱۲۳ 45': '45 ۱۲۳ ١٢٣ ،ببب',
    'محمد علي, Wed, Nov 4': 'يلع دمحم, Wed, Nov 4',
  }
  const { lines, texts, instead } = await drawNote(Object.keys(notes).join('\n'))
  for (const drawn of Object.values(notes)) expect(texts).toContainEqual(expect.stringContaining(drawn))
  expect(instead).toEqual([Object.keys(notes).join('\n')])
  // The same letter at the start, in the middle and at the end of a word.
  const joined = lines.flat().filter(({ unicode }) => unicode === 'ب')
  expect(new Set(joined.map(({ originalCharCode }) => originalCharCode)).size).toBe(3)
})

test('a paragraph that starts with a Hebrew name goes on from left to right on each of its lines [RPT-01]', async () => {
  const { texts } = await drawNote(`שלום כהן ${'Roof '.repeat(30)}12!`)
  expect(texts).toContainEqual(expect.stringMatching(/ןהכ םולש Roof/))
  expect(texts).toContainEqual(expect.stringMatching(/Roof 12!$/))
})

test('vowels and joined letters of Hindi and Thai stand in their places [RPT-01]', async () => {
  const { texts, lines, instead } = await drawNote('हिन्दी क्षि น้ำ')
  expect(texts).toContainEqual(expect.stringContaining('िहन्दी िक्ष นํ้า'))
  const drawn = lines.flat().map(({ unicode }) => unicode)
  expect(drawn).toContain('क्ष')
  expect(instead).toEqual(['हिन्दी क्षि น้ำ'])
})

test('a letter is drawn with marks that its font does not place [RPT-01]', async () => {
  const { texts } = await drawNote('ฬุ่ א\u05b0\u05c1')
  expect(texts).toContainEqual(expect.stringMatching(/ฬ.*א/))
})

test('a sign that the fonts lack is written as it is typed without it [RPT-01]', async () => {
  const written = {
    '5:30\u202fPM, Jean\u2011Luc ― H₂O': '5:30 PM, Jean-Luc - H2O',
    '1⅓ of 3⅞″, ﬁne, Ａ③': '1 1⁄3 of 3 7⁄8″, fine, A3',
    '72 ℃, ≥ 2 → roof ◦ ḡ த': '72 °C, >= 2 -> roof • ḡ ?',
  }
  const done = Object.keys(written).map((note) => ({ date: day, campaign: 'Roofing', note }))
  const { read } = await readAloud(await openFile({ ...report, done }))
  expect(read.map(({ text }) => text.normalize('NFC'))).toEqual(expect.arrayContaining(Object.values(written)))
})

test('no word is broken in a cell that could hold it, and no row is cut from its head [ACCT-05]', async () => {
  const leads = report.leads.map((lead) => ({
    ...lead,
    name: 'Bartholomew Featherstonehaugh',
    phone: '+13035550101',
    email: 'bartholomew@featherstonehaugh-roofing.example',
    message: 'A replacement of the whole roof '.repeat(8).trim(),
    value: 12_345.5,
  }))
  const file = await openFile({ ...report, leads })
  for (let number = 1; number <= file.numPages; number += 1) {
    const { items } = await (await file.getPage(number)).getTextContent()
    const texts = (items as { str: string; transform: number[] }[]).filter(({ str }) => str.trim())
    const words = texts.map(({ str }) => str.trim())
    const [first] = words.flatMap((word, index) => (word.startsWith('bartholomew') ? [index] : []))
    for (const word of words.filter((word) => /featherstonehaugh|bartholomew/.test(word)))
      expect(word).toBe('bartholomew@featherstonehaugh-roofing.example')
    if (first !== undefined) expect(words.indexOf('Contact'), `page ${number}`).toBeLessThan(first)
    // The last thing above the footer is not a title or a head.
    const lowest = texts
      .filter(({ transform }) => transform[5]! > 45)
      .toSorted((a, b) => a.transform[5]! - b.transform[5]!)[0]!
    expect(['Leads', 'Contact', 'By week', 'Verified', 'By source', 'What was done', 'Note']).not.toContain(lowest.str)
  }
})

test('an address that would squeeze the other columns goes on before its @ [ACCT-05]', async () => {
  const [local, host] = ['a-very-long-address-of-someone', '@visitor-and-company.example']
  const message = 'A replacement of the whole roof, please'
  const leads = [{ ...report.leads[0]!, email: local + host, message }]
  const { items } = await (await (await openFile({ ...report, leads, done: [] })).getPage(1)).getTextContent()
  const lines = (items as { str: string }[]).map(({ str }) => str.trim())
  for (const line of [local, host]) expect(lines).toContain(line)
  expect(lines.filter((line) => line !== '' && message.includes(line)).length).toBeLessThan(4)
})

test('weeks and sources have bars, each as long as its share of the highest [ACCT-05]', async () => {
  const weeks = [3, 0, 12].map((verified) => ({ ...span, verified, missed: 0 }))
  const drawn = async (props: ReportPdfProps) => {
    const [page, { OPS }] = [await (await openFile(props)).getPage(1), await getResolvedPDFJS()]
    const { fnArray, argsArray } = await page.getOperatorList()
    return fnArray.flatMap((name, index) => {
      const [, , box] = name === OPS.constructPath ? argsArray[index]! : []
      return box && Math.round(box[3] - box[1]) === 8 ? [box[2] - box[0]] : []
    })
  }
  const lengths = await drawn({ ...report, weeks, sources: [], leads: [], done: [] })
  expect(lengths).toHaveLength(2)
  expect(lengths[0]! / lengths[1]!).toBeCloseTo(3 / 12)
})

test('rows leave out what the head says: the year, the zone, and days that are the report’s; campaigns are in order [ACCT-05]', () => {
  const [lead] = report.leads
  const two = { ...report, campaigns: [...report.campaigns, { ...report.campaigns[0]!, name: 'Acme Boulder' }] }
  const whens = ['Mon, Nov 9, 2026, 10:12 AM MST', 'Sun, Nov 1, 2026, 12:30 AM MDT', 'Thu, Dec 31, 2026, 9:00 PM MST']
  const leads = [
    ...whens.map((when) => ({ ...lead!, when, campaign: 'Acme Denver' })),
    { ...lead!, when: whens[0]!, campaign: 'Acme Boulder' },
  ]
  const readTables = (props: ReportPdfProps) =>
    describeReportPdf(props, null).blocks.flatMap((block) => (block.kind === 'table' ? [block] : []))
  const [campaigns, ...tables] = readTables({ ...two, leads })
  const groups = tables.filter(({ title }) => title.startsWith('Leads'))
  expect(campaigns!.columns.map(([head]) => head)).toEqual(['Campaign', 'Verified', 'Target', 'Missed'])
  expect(groups.map(({ title, rows }) => [title, ...rows.map(([when]) => when)])).toEqual([
    ['Leads of Acme Boulder', 'Mon, Nov 9, 10:12 AM'],
    ['Leads of Acme Denver', 'Mon, Nov 9, 10:12 AM', 'Sun, Nov 1, 12:30 AM MDT', 'Thu, Dec 31, 9:00 PM'],
  ])
  // In a report over the end of a year, days and moments have theirs.
  const [cycles, ...others] = readTables({ ...report, to: '2027-01-02', leads: leads.slice(0, 1) })
  expect(cycles!.columns.map(([head]) => head)).toContain('Days')
  expect(others.find(({ title }) => title === 'Leads')!.rows[0]![0]).toBe('Mon, Nov 9, 2026, 10:12 AM')
})

test('a short table is not divided between two pages [ACCT-05]', async () => {
  const campaigns = Array.from({ length: 24 }, (_, index) => ({ ...report.campaigns[0]!, name: `Campaign ${index}` }))
  const sources = Array.from({ length: 8 }, (_, index) => ({ source: `Source ${index}`, verified: 8 - index }))
  const file = await openFile({ ...report, campaigns, sources, leads: [], done: [] })
  const texts: string[] = []
  for (let number = 1; number <= file.numPages; number += 1) {
    const { items } = await (await file.getPage(number)).getTextContent()
    texts.push(items.map((item) => ('str' in item ? item.str : '')).join('\n'))
  }
  const pages = sources.map(({ source }) => texts.findIndex((text) => text.includes(source)))
  expect(new Set(pages)).toEqual(new Set([texts.findIndex((text) => text.includes('By source'))]))
  expect(file.numPages).toBe(2)
})

test('the title of a table is on the page of its first row, however high that is [ACCT-05]', async () => {
  const note = Array.from({ length: 170 }, (_, index) => `word${index}`).join(' ')
  const done = Array.from({ length: 2 }, () => ({ date: day, campaign: 'Acme Denver', note }))
  for (let count = 1; count <= 24; count += 1) {
    const campaigns = Array.from({ length: count }, (_, at) => ({ ...report.campaigns[0]!, name: `Campaign ${at}` }))
    const file = await openFile({ ...report, campaigns, leads: [], done })
    for (let number = 1; number <= file.numPages; number += 1) {
      const { items } = await (await file.getPage(number)).getTextContent()
      const text = items.map((item) => ('str' in item ? item.str : '')).join(' ')
      if (text.includes('What was done')) expect(text, `after ${count} campaigns`).toContain('word0')
    }
  }
})

test('a report without leads says so, on one page', async () => {
  const says = 'There were no verified leads in this period.'
  const empty = { ...report, says, verified: 0, campaigns: [], weeks: [], sources: [], leads: [], done: [] }
  const file = await openFile(empty, null)
  expect(file.numPages).toBe(1)
  expect((await readAloud(file)).read).toContainEqual({ role: 'P', text: says })
})

/** What strangers write in forms, and what a reader of the file could take for its own syntax. */
const hostilePieces = [
  ...['https://evil.example/?a=1', 'mailto:a@evil.example', '<a href="https://evil.example">x</a>', '<script>alert(1)'],
  ...[
    '/S /URI /URI (https://evil.example)',
    '/JS (app.alert(1))',
    '/OpenAction',
    '(',
    ')',
    '\\',
    '\\)',
    '<<',
    '>>',
    '[',
  ],
  ...[']', 'endobj', 'endstream', '%PDF-1.4', '%%EOF', 'ET Q', '(x) Tj', '&', '&amp;', ']]>', '<?xpacket end="w"?>'],
  ...['$&', '$1', "$'", '\u0000', '\u0001', '\u0008', '\u000b', '\t', '\n', '\r', '\u001b[31m', '\u007f', '\u0085'],
  ...['\u2028', '\u2029', '\ufeff', '\ufffe', '\uffff', '\u200e', '\u200f', '\u202e', '\u2066', '\u2069', '\u200d'],
  ...[
    '\u00ad',
    'שלום',
    'א\u05b0\u05c1',
    'مرحبا',
    '\u0605',
    '\u0596',
    'हिन्दी',
    'น้ำ',
    '山田',
    '👩‍👩‍👧',
    '🇬🇷',
    'e\u0301\u0323',
    '\u{11a89}e',
    '\u0d4e1',
    '\ud800',
    '\udc00',
    ' '.repeat(300),
    '',
  ],
  ...['W'.repeat(300), 'a'.repeat(3000)],
]
const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...hostilePieces), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 8 })
  .map((pieces) => pieces.join(''))
const message = hostileText.map((text) => `${text} end`)
const name = hostileText.map((text) => `${text.slice(0, 200)} end`)
const hostileTexts = fc.record({
  ...{ agency: name, client: name, campaign: name, source: name },
  ...{ name: message, email: message, answer: message, note: message },
})

test('the text of strangers stays text: the file opens, has all of it, and no link, script, form or attachment', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(hostileTexts, async ({ agency, client, campaign, source, name, email, answer, note }) => {
      const lead = { ...report.leads[0]!, campaign, name, email, source }
      const decision = { state: 'accepted', decided_on: day, answer } as const
      const drawn = await drawReport({
        ...report,
        agency: { ...report.agency, name: agency },
        client: { ...report.client, name: client },
        campaigns: [{ ...report.campaigns[0]!, name: campaign }],
        sources: [{ source, verified: 1 }],
        leads: [lead],
        missed_calls: [lead],
        disputes: [{ ...decision, id: 1, lead_id: 1, campaign, lead }],
        done: [{ date: day, campaign, note }],
      })
      const file = await getDocumentProxy(new Uint8Array(drawn))
      expect(await file.getJSActions()).toBeNull()
      expect(await file.getOpenAction()).toBeNull()
      expect(await file.getAttachments()).toBeNull()
      expect(await file.getFieldObjects()).toBeNull()
      for (let number = 1; number <= file.numPages; number += 1) {
        const page = await file.getPage(number)
        expect(await page.getAnnotations()).toEqual([])
        expect(await page.getJSActions()).toBeNull()
      }
      const { read } = await readAloud(file)
      expect(read.map(({ text }) => text).join('')).not.toContain('\0')
      const shown = keepLetters(read.map(({ text }) => text).join(''))
      const texts = [agency, client, campaign, source, name, email, answer, note].map(keepLetters)
      // The cells of a row that continues on the next page are read page by page.
      const isWhole = texts.every(({ length }) => length < 150)
      for (const text of texts) expect(isWhole ? shown.includes(text) : hasInOrder(shown, text), text).toBe(true)
      const { info } = (await file.getMetadata()) as unknown as { info: Record<string, unknown> } // by the library's documentation
      expect([info.Author, info.Title]).toEqual([cleanText(agency), expect.stringContaining(cleanText(client))])
      const [, metadata = ''] = /<x:xmpmeta([\s\S]*)<\/x:xmpmeta>/.exec(drawn.toString('utf8')) ?? []
      expect(metadata.match(/<rdf:li[^>]*>[^<>]*<\/rdf:li>/g)).toHaveLength(3)
      expect(metadata).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|&(?!amp;|lt;|gt;)/u)
    }),
    { numRuns: 40, endOnFailure: true },
  )
})
/**
 * Other letters may be missing in the font, and then are drawn as a question mark, or in plain ones such as `e` for U+1D522; only the S
 * of U+1F12A is not, because its brackets are missing too.
 */
const keepLetters = (text: string) =>
  cleanText(text.replaceAll('\u{1f12a}', ''))
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]/gi, '')
function hasInOrder(all: string, letters: string): boolean {
  let at = 0
  for (const letter of letters) {
    at = all.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
