import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import buildBidi from 'bidi-js'
import PDFDocument from 'pdfkit'
import { cleanText } from '#contract/clean-text.ts'
import { projectRoot } from '../settings/settings.ts'

const fontFolder = join(projectRoot, 'src/core/pdf/fonts')
const fonts = { regular: join(fontFolder, 'Inter-Regular.ttf'), bold: join(fontFolder, 'Inter-SemiBold.ttf') }
const rightToLeftFonts = ['NotoSansArabic-Regular.ttf.gz', 'NotoSansHebrew-Regular.ttf.gz']
/** For what the first fonts lack, the last two emoji; Chinese, Japanese and Korean. Only opened for a text that needs one: some are large. */
const furtherFonts = [
  ...rightToLeftFonts,
  'NotoSansThai-Regular.ttf.gz',
  'NotoSansDevanagari-Regular.ttf.gz',
  'NotoEmoji-Regular.ttf.gz',
  'WenQuanYiMicroHei.ttf.gz',
]
/** The top of both first fonts above the baseline, on which the signs of all fonts stand. Relative to the size, as is the height of a line. */
const ascent = 0.96875
const lineHeight = 1.21

/** Points. */
const paper = { width: 612, height: 792 } // US letter
const margin = { side: 40, top: 40, bottom: 52 }
const footerTop = 756
const ink = { text: '#1a2230', secondary: '#556072', line: '#d5dae2', soft: '#f1f3f6' }
const body = { size: 9, leading: 12.6 }
const cell = { right: 6, above: 3 }

type Element = PDFKit.PDFStructureElement
type TextStyle = { size?: number; isBold?: boolean; color?: string; leading?: number }
export type PdfTable = {
  title: string
  /** A column is at least as wide as its longest word, if they all fit; a `whole` one as its longest text. `end` aligns to the right. */
  columns: [head: string, share: number, kind?: 'end' | 'whole'][]
  rows: string[][]
  /** Draws a bar beside each number of a column, its length the number's share of the highest. */
  bars?: { column: number; color: string }
}

/** A part of a document, from top to bottom. */
type PdfBlock =
  | { kind: 'masthead'; name: string; color: string; logo: { png: Uint8Array; alt: string } | null }
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string; style?: 'plain' | 'secondary' | 'lead' }
  | { kind: 'figures'; figures: [label: string, value: string][] }
  | { kind: 'total'; label: string; value: string }
  | ({ kind: 'table' } & PdfTable)

/** A document as data, so that another thread can draw it. */
export type PdfDocument = { title: string; author: string; subject: string; blocks: PdfBlock[] }

/** Draws a document as a PDF file. */
export function drawPdf({ blocks, ...texts }: PdfDocument): Promise<Buffer> {
  const file = new TaggedPdf(texts)
  for (const block of blocks) file.draw(block)
  return file.finish()
}

/**
 * Writes a tagged file (PDF/UA) from top to bottom. Content is in elements of the structure; lines, backgrounds, page numbers and
 * repeated table heads are artifacts, which screen readers skip.
 */
class TaggedPdf {
  readonly #file: PDFKit.PDFDocument
  readonly #root: Element
  readonly #parts: Buffer[] = []
  readonly #title: string
  #y = margin.top
  #font = fonts.regular
  /** Of each font, whether it has these signs. */
  readonly #signs = new Map<string, Map<string, boolean>>()

  constructor(texts: { title: string; author: string; subject: string }) {
    const [title, author, subject] = [texts.title, texts.author, texts.subject].map(cleanText) as [
      string,
      string,
      string,
    ] // three, as above
    this.#title = title
    this.#file = new PDFDocument({
      size: [paper.width, paper.height],
      margin: 0,
      font: fonts.regular,
      lang: 'en-US',
      displayTitle: true,
      tagged: true,
      pdfVersion: '1.7',
      subset: 'PDF/UA' as PDFKit.PDFDocumentOptions['subset'], // the types only name the PDF/A ones
      bufferPages: true, // each page shows their number
      info: { Title: title, Author: author, Subject: subject, Creator: author },
    })
    escapeMetadata(this.#file, [title, author, subject])
    this.#file.on('data', (part: Buffer) => this.#parts.push(part))
    this.#root = this.#file.struct('Document')
    this.#file.addStructure(this.#root)
  }

  draw(block: PdfBlock) {
    if (block.kind === 'masthead') this.#masthead(block)
    else if (block.kind === 'heading') this.#heading(block.text)
    else if (block.kind === 'paragraph') this.#paragraph(block.text, block.style)
    else if (block.kind === 'figures') this.#figures(block.figures)
    else if (block.kind === 'total') this.#total(block)
    else this.#table(block)
  }

  /** Draws a name in a color on the left, an image on the right, and a line below both. */
  #masthead({ name, color, logo }: Extract<PdfBlock, { kind: 'masthead' }>) {
    const size = { width: 240, height: 36 }
    const top = this.#y
    this.#text(this.#root, 'P', name, { size: 12, isBold: true, color, leading: 17 }, { ...wholeWidth, width: 280 })
    if (logo) {
      const left = paper.width - margin.side - size.width
      const bbox: [number, number, number, number] = [left, top, left + size.width, top + size.height]
      this.#addElement(this.#root, 'Figure', { alt: cleanText(logo.alt), bbox, placement: 'Block' }, () =>
        this.#file.image(Buffer.from(logo.png), left, top, { fit: [size.width, size.height], align: 'right' }),
      )
      this.#y = Math.max(this.#y, top + size.height)
    }
    this.#y += 12
    this.#artifact(() => this.#drawLine(2, color))
    this.#y += 14
  }

  #heading(text: string) {
    this.#text(this.#root, 'H1', text, { size: 18, isBold: true, leading: 23 })
  }

  /** `lead`: the first sentence, which says the most. */
  #paragraph(text: string, style: 'plain' | 'secondary' | 'lead' = 'plain') {
    this.#text(this.#root, 'P', text, paragraphStyles[style])
    if (style !== 'plain') this.#y += 12
  }

  /** Draws numbers side by side, each with its label; smaller if the longest would not fit on a line. */
  #figures(figures: [label: string, value: string][]) {
    const gap = 6
    const height = 50
    const width = (paper.width - 2 * margin.side - gap * (figures.length - 1)) / figures.length
    const style = { size: 16, isBold: true, leading: 21 }
    this.#use(style)
    const longest = Math.max(...figures.map(([, value]) => this.#measure(value)))
    const size = Math.min(style.size, Math.floor((style.size * (width - 16)) / longest))
    const list = this.#addGroup(this.#root, 'L')
    const top = this.#y
    for (const [index, [label, value]] of figures.entries()) {
      const left = margin.side + index * (width + gap)
      this.#artifact(() => this.#file.rect(left, top, width, height).fill(ink.soft))
      const item = this.#addGroup(list, 'LI')
      const inside = { left: left + 8, width: width - 16 }
      this.#y = top + 29
      this.#text(item, 'Lbl', label, { color: ink.secondary }, inside)
      this.#y = top + 8
      this.#text(item, 'LBody', value, { ...style, size }, inside)
      item.end()
    }
    list.end()
    this.#y = top + height + 4
  }

  /** Draws an amount that counts more than the others. */
  #total({ label, value }: { label: string; value: string }) {
    this.#y += 10
    this.#text(this.#root, 'P', `${label}: ${value}`, { size: 16, isBold: true, leading: 21 })
  }

  /** Draws a table. A short one is not divided; otherwise its head is repeated on each page, and a row longer than a page continues. Without rows nothing is drawn. */
  #table({ title, columns, rows, bars }: PdfTable) {
    if (rows.length === 0) return
    const [first] = rows
    const heads = columns.map(([head]) => head)
    const places = placeColumns(
      columns.map(([, share, kind], index) => ({
        share,
        align: kind === 'end' ? kind : undefined,
        longest: this.#longestPart(heads, rows, index, kind === 'whole' ? /\n/ : wordBreak),
      })),
    )
    const most = bars ? Math.max(1, ...rows.map((row) => Number(row[bars.column]))) : 1
    const headHeight = this.#measureRow(heads, places, true)
    const around = 14 + 17 + 4 + headHeight
    const firstHeight = this.#measureRow(first ?? [], places, false)
    // A long row is divided wherever it stands.
    const needed = around + (isLongRow(firstHeight) ? Math.min(firstHeight, 200 - around) : firstHeight)
    if (this.#y > margin.top) {
      const whole = around + rows.slice(0, 20).reduce((sum, row) => sum + this.#measureRow(row, places, false), 0)
      const isShort = rows.length <= 20 && whole < pageHeight / 3
      if (this.#left() < (isShort ? whole : needed)) this.#addPage()
      else this.#y += 14
    }
    this.#text(this.#root, 'H2', title, { size: 12, isBold: true, leading: 17 })
    this.#y += 4
    const table = this.#addGroup(this.#root, 'Table')
    this.#row(table, heads, places, { isHead: true })
    for (const row of rows) {
      this.#row(table, row, places, { isHead: false, heads })
      if (bars) this.#bar(places[bars.column]!, Number(row[bars.column]) / most, bars.color)
    }
    table.end()
  }

  /** Ends the file and returns it. */
  async finish(): Promise<Buffer> {
    const { start, count } = this.#file.bufferedPageRange()
    for (let page = start; page < start + count; page += 1) {
      this.#file.switchToPage(page)
      this.#file.markContent('Artifact', { type: 'Pagination' })
      const [title] = this.#wrap(this.#title, 440, {})
      this.#write(title!, margin.side, footerTop, { color: ink.secondary })
      const number = `${page + 1} / ${count}`
      this.#use({ color: ink.secondary })
      this.#write({ text: number }, paper.width - margin.side - this.#measure(number), footerTop, {
        color: ink.secondary,
      })
      this.#file.endMarkedContent()
    }
    this.#root.end()
    const ended = new Promise((resolve, reject) => this.#file.on('end', resolve).on('error', reject))
    this.#file.end()
    await ended
    return Buffer.concat(this.#parts)
  }

  // ——— rows ———

  #row(table: Element, cells: string[], places: Place[], { isHead, heads }: { isHead: boolean; heads?: string[] }) {
    const style = isHead ? { isBold: true, color: ink.secondary } : {}
    const lines = cells.map((text, index) => this.#wrap(text, places[index]!.width, style))
    const count = Math.max(1, ...lines.map(({ length }) => length))
    const height = count * body.leading + 2 * cell.above
    if (!isLongRow(height) && this.#left() < height) this.#continue(heads, places)
    const row = this.#addGroup(table, 'TR')
    const cellElements = cells.map((text) =>
      this.#addGroup(row, isHead ? 'TH' : 'TD', { ...(isHead && columnHead), ...toActualText(text) }),
    )
    let drawn = 0
    do {
      if (drawn > 0 || this.#left() < body.leading + 2 * cell.above) this.#continue(heads, places)
      const fitting = Math.max(1, Math.floor((this.#left() - 2 * cell.above) / body.leading))
      const part = lines.map((all) => all.slice(drawn, drawn + fitting))
      const top = this.#y + cell.above
      for (const [index, own] of part.entries())
        if (own.length > 0) cellElements[index]!.add(() => this.#writeCell(own, places[index]!, top, style))
      this.#y = top + Math.min(fitting, count - drawn) * body.leading + cell.above
      drawn += fitting
    } while (drawn < count)
    this.#artifact(() => this.#drawLine(0.5, ink.line))
    row.end()
  }

  /** Continues on a new page, which repeats the table head. */
  #continue(heads: string[] | undefined, places: Place[]) {
    this.#addPage()
    if (!heads) return
    this.#artifact(() => {
      const style = { isBold: true, color: ink.secondary }
      const lines = heads.map((text, index) => this.#wrap(text, places[index]!.width, style))
      const top = this.#y + cell.above
      for (const [index, own] of lines.entries()) this.#writeCell(own, places[index]!, top, style)
      this.#y = top + Math.max(...lines.map(({ length }) => length)) * body.leading + cell.above
      this.#drawLine(0.5, ink.line)
    }, 'Pagination')
  }

  /** Draws a bar beside the number in the row that was drawn last. */
  #bar({ left, width }: Place, share: number, color: string) {
    const room = width - barStart
    const top = this.#y - cell.above - body.leading + 2
    if (share > 0) this.#artifact(() => this.#file.rect(left + barStart, top, room * share, 8).fill(color))
  }

  #longestPart(heads: string[], rows: string[][], index: number, breaks: RegExp): number {
    const widest = (texts: string[], style: TextStyle) => {
      this.#use(style)
      const words = new Set(texts.flatMap((text) => this.#toDrawable(text).split(breaks)))
      const parts = [...words].flatMap((word) => (this.#measure(word) > longAddress ? splitAddress(word) : [word]))
      return Math.max(0, ...parts.map(this.#measure))
    }
    return Math.max(
      widest([heads[index]!], { isBold: true }),
      widest(
        rows.map((row) => row[index] ?? ''),
        {},
      ),
    )
  }

  #measureRow(cells: string[], places: Place[], isBold: boolean): number {
    const counts = cells.map((text, index) => this.#wrap(text, places[index]!.width, { isBold }).length)
    return Math.max(1, ...counts) * body.leading + 2 * cell.above
  }

  // ——— text ———

  #text(parent: Element, type: string, text: string, style: TextStyle, place: Place = wholeWidth) {
    const left = place.left ?? margin.side
    const leading = style.leading ?? body.leading
    const lines = this.#wrap(text, place.width, style)
    const top = this.#y
    this.#addElement(parent, type, toActualText(text), () => this.#writeLines(lines, left, top, style))
    this.#y = top + lines.length * leading
  }

  #writeCell(lines: Line[], { left, width, align }: Place, top: number, style: TextStyle) {
    if (align !== 'end') return this.#writeLines(lines, left, top, style)
    this.#use(style)
    for (const [index, line] of lines.entries())
      this.#write(line, left + width - this.#measure(line.text), top + index * body.leading, style)
  }

  #writeLines(lines: Line[], left: number, top: number, style: TextStyle) {
    for (const [index, line] of lines.entries())
      this.#write(line, left, top + index * (style.leading ?? body.leading), style)
  }

  #write(line: Line, left: number, top: number, style: TextStyle) {
    this.#use(style)
    const { size = body.size, leading = body.leading } = style
    const baseline = top + (leading - size * lineHeight) / 2 + size * ascent
    // In the order of reading, which some programs copy.
    const parts = this.#split(line).parts.toSorted((one, other) => one.index - other.index)
    for (const { font, text, at } of parts) {
      const options = { ...toLayout(font, text), lineBreak: false, baseline: 'alphabetic' as const }
      this.#file.font(font).text(text, left + at, baseline, options)
    }
  }

  #use({ size = body.size, isBold = false, color = ink.text }: TextStyle) {
    this.#font = isBold ? fonts.bold : fonts.regular
    this.#file.font(this.#font).fontSize(size).fillColor(color)
  }

  #measure = (text: string): number => this.#split({ text }).width

  /** Returns the parts of a line that one font can draw, from left to right; without levels in the order of the text, to be measured. */
  #split(line: Line): { parts: Part[]; width: number } {
    const { text, levels } = line
    const parts: Part[] = []
    const isWhole = !levels && this.#has(this.#font, text)
    for (const { segment, index } of isWhole ? [{ segment: text, index: 0 }] : toVisualOrder(line)) {
      const level = levels?.[index] ?? 0
      const isRightToLeft = level % 2 === 1
      const last = parts.at(-1)
      const isBetweenWords = segment === ' ' && isRightToLeft && rightToLeftFonts.includes(last?.font ?? '')
      const font = (isBetweenWords ? last?.font : this.#findFont(segment)) ?? this.#font
      // The library turns a part in these scripts around itself, as it joins letters; what else stands among them is drawn sign by sign.
      const isJoined = !levels || (last?.level === level && isRightToLeft === rightToLeftFonts.includes(font))
      if (last?.font === font && isJoined) last.text = isRightToLeft ? segment + last.text : last.text + segment
      else {
        const mirrored = isRightToLeft ? bidi.getMirroredCharacter(segment) : null
        parts.push({ font, text: mirrored ?? segment, level, index, at: 0 })
      }
    }
    let width = 0
    for (const part of parts) {
      part.at = width
      width += this.#file.font(part.font).widthOfString(part.text)
    }
    this.#file.font(this.#font)
    return { parts, width }
  }

  /** Returns the first font that has all signs of a text, undefined if none has. */
  #findFont = (text: string): string | undefined => [this.#font, ...furtherFonts].find((font) => this.#has(font, text))

  #has(name: string, text: string): boolean {
    if (isPlain(text)) return name === this.#font
    const known = this.#signs.get(name) ?? this.#open(name)
    for (const sign of text.replace(joiningSigns, '')) {
      if (!known.has(sign)) {
        known.set(sign, this.#getFont(name).hasGlyphForCodePoint(sign.codePointAt(0)!))
      }
      if (!known.get(sign)) return false
    }
    return true
  }

  #open(name: string): Map<string, boolean> {
    if (furtherFonts.includes(name)) this.#file.registerFont(name, gunzipSync(readFileSync(join(fontFolder, name))))
    leaveUnplacedMarks(this.#getFont(name))
    const known = new Map<string, boolean>()
    this.#signs.set(name, known)
    return known
  }

  #getFont = (name: string): OpenFont => (this.#file.font(name) as unknown as { _font: { font: OpenFont } })._font.font // the types leave it out

  /** Breaks a text at spaces, and a word wider than the place between any two letters, without a hyphen. */
  #wrap(text: string, width: number, style: TextStyle): Line[] {
    this.#use(style)
    return this.#toDrawable(text)
      .split('\n')
      .flatMap((paragraph) => toLines(this.#breakParagraph(paragraph, width)))
  }

  #breakParagraph(paragraph: string, width: number): string[] {
    if (paragraph.length < 200 && this.#measure(paragraph) <= width) return [paragraph]
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(wordBreak)) {
      const longer = line === '' ? word : `${line} ${word}`
      const [start = '', ...rest] = breakWord(word, width, this.#measure)
      if (rest.length === 0 && (line === '' || this.#measure(longer) <= width)) {
        line = longer
        continue
      }
      // The space at a break stays, for copying the text.
      if (line !== '') lines.push(`${line} `)
      lines.push(...[start, ...rest].slice(0, -1))
      line = rest.at(-1) ?? start
    }
    return [...lines, line]
  }

  /**
   * Writes what no font can draw in signs that one has, or replaces it: a font's box for that has no Unicode text, which PDF/UA does not
   * allow, and no reliable width.
   */
  #toDrawable(text: string): string {
    const clean = cleanText(text)
      .replaceAll('\t', ' ')
      .replace(fractionAfterDigit, ' ')
      .replace(numberSigns, '')
      .replace(thaiAm, '\u0e4d$1\u0e32')
    if (isPlain(clean)) return clean
    return toGraphemes(clean)
      .map((segment) => {
        const bare = segment.replace(joiningSigns, '')
        const typed = [...bare].map((one) => (this.#has(this.#font, one) ? one : writePlainly(one))).join('')
        if (this.#has(this.#font, typed)) return typed
        // A mark without a letter would join a replacement before it.
        if (this.#findFont(segment)) return /^\p{M}/u.test(segment) ? replacementSign : segment
        // A letter or digit stays when only what stands over or before it cannot be drawn.
        const signs = [...typed]
        const letter = signs.find((one) => !/^\p{M}/u.test(one) && this.#findFont(one))
        const font = letter && this.#findFont(letter)
        return (font ? signs.filter((one) => this.#has(font, one)).join('') : '') + replacementSign
      })
      .join('')
  }

  // ——— structure ———

  #addGroup(parent: Element, type: string, options: object = {}): Element {
    const group = this.#file.struct(type, options)
    parent.add(group)
    return group
  }

  #addElement(parent: Element, type: string, options: object, draw: () => void) {
    parent.add(this.#file.struct(type, options, draw))
  }

  #artifact(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout') {
    this.#file.markContent('Artifact', { type })
    draw()
    this.#file.endMarkedContent()
  }

  #drawLine(thickness: number, color: string) {
    this.#file
      .moveTo(margin.side, this.#y)
      .lineTo(paper.width - margin.side, this.#y)
      .lineWidth(thickness)
      .stroke(color)
  }

  #left = () => paper.height - margin.bottom - this.#y

  #addPage() {
    this.#file.addPage()
    this.#y = margin.top
  }
}

/** The library writes these texts into the file's XML as they are: an ampersand in a name would make it invalid. */
function escapeMetadata(file: PDFKit.PDFDocument, texts: string[]) {
  const append = file.appendXML.bind(file)
  const escaped = texts.map((text) => [text, escapeXml(text)] as const)
  file.appendXML = (xml, newLine) =>
    append(
      escaped.reduce((all, [text, safe]) => all.replace(`>${text}<`, () => `>${safe}<`), xml),
      newLine,
    )
}

/** XML has no way to write the two noncharacters that clean text may have. */
const escapeXml = (text: string) =>
  text
    .replace(/[\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

type OpenFont = {
  hasGlyphForCodePoint(codePoint: number): boolean
  _layoutEngine: { engine: { GPOSProcessor?: { applyAnchor: PlaceMark } | null } | null }
}
type PlaceMark = (mark: { markAnchor: unknown }, base: unknown, at: number) => void

/** A font need not say where a mark stands on each letter or mark; the library fails where it does not. */
function leaveUnplacedMarks({ _layoutEngine: { engine } }: OpenFont) {
  const marks = engine?.GPOSProcessor
  const place = marks?.applyAnchor.bind(marks)
  if (marks && place) marks.applyAnchor = (mark, base, at) => base && place(mark, base, at)
}

const isPlain = (text: string) => /^[\n\x20-\x7e]*$/.test(text)
const graphemes = new Intl.Segmenter()
const toGraphemes = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment)
/** They choose or join the drawings of what is beside them, and have none of their own. */
const joiningSigns = /[\u200d\ufe0e\ufe0f]/g
const replacementSign = '?' // the fonts have no U+FFFD

/** `1⅓` is `1 1⁄3`. */
const fractionAfterDigit = /(?<=\d)(?=[\u2150-\u215e\u2189])/g
/** Arabic's signs around numbers: one cluster with the next letter, which no font draws as such. */
const numberSigns = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]/g
/** Thai SARA AM, which a font draws as two signs, the second of which would have no Unicode text. */
const thaiAm = /([\u0e48-\u0e4b]?)\u0e33/g
/** Returns a sign as it is typed without it: `ﬁ` as fi, `₂` as 2, any space as one, any dash as a hyphen. */
const writePlainly = (sign: string): string =>
  typedSigns[sign] ?? sign.normalize('NFKD').replace(/[\p{Pd}--\u05be]/gv, '-')
const typedSigns: Readonly<Record<string, string>> = {
  ...{ '→': '->', '←': '<-', '≤': '<=', '≥': '>=', '≠': '!=', '≈': '~' },
  ...Object.fromEntries([...'●○■□▪◦‣'].map((bullet) => [bullet, '•'])),
}

/** A line of text, with the levels of the Unicode Bidirectional Algorithm if a part of its paragraph runs from right to left. */
type Line = { text: string; levels?: Uint8Array }
type Part = { font: string; text: string; level: number; index: number; at: number }
const bidi = buildBidi()
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
/** Scripts whose signs are not drawn in the order, or not in the number, in which they are written. */
const reordered = /[\p{scx=Thai}\p{scx=Devanagari}]/u
/** What a program reads in place of the signs that are drawn. */
const toActualText = (text: string) =>
  rightToLeft.test(text) || reordered.test(text) ? { actual: cleanText(text) } : {}
/** Given any list of features, the library takes several words as one part; without, it draws each to the right of the last. */
const toLayout = (font: string, text: string) =>
  rightToLeftFonts.includes(font) && text.includes(' ') ? { features: [] } : {}

/** Finds the levels of the lines of a paragraph. It runs from left to right, as on the screens: most stand in a sentence or a row of ours. */
function toLines(texts: string[]): Line[] {
  const paragraph = texts.join('')
  if (!rightToLeft.test(paragraph)) return texts.map((text) => ({ text }))
  const { levels } = bidi.getEmbeddingLevels(paragraph, 'ltr')
  let end = 0
  return texts.map((text) => {
    const start = end
    end += text.length
    return { text, levels: levels.slice(start, end) }
  })
}

/** Returns the graphemes of a line from left to right, with their places in its text. */
function toVisualOrder({ text, levels }: Line): { segment: string; index: number }[] {
  const segments = [...graphemes.segment(text)]
  if (!levels) return segments
  const starts = new Map(segments.map((one) => [one.index, one]))
  // At level 0 a space at the end of a line stays on the right, where it moves nothing.
  const paragraphs = [{ start: 0, end: text.length - 1, level: 0 }]
  return bidi.getReorderedIndices(text, { levels, paragraphs }).flatMap((index) => starts.get(index) ?? [])
}

/** A time is a word: `12:02 PM`. */
const wordBreak = /\s+(?![AP]M\b)/

type Place = { left: number; width: number; align?: 'end' | undefined }
const wholeWidth: Place = { left: margin.side, width: paper.width - 2 * margin.side }
/** What a column keeps of its share for the words of others. */
const leastShare = 0.5
/** A column that is wider than this takes too much from the others: an email address goes on two lines instead. */
const longAddress = 0.42 * wholeWidth.width
const splitAddress = (word: string) => word.split(/(?<=.)(?=@)/)
const columnHead = { scope: 'Column' }
/** Room for a number of four digits. */
const barStart = 32
const paragraphStyles: Record<'plain' | 'secondary' | 'lead', TextStyle> = {
  plain: {},
  secondary: { color: ink.secondary },
  lead: { size: 13, isBold: true, leading: 18 },
}
const pageHeight = paper.height - margin.top - margin.bottom
const isLongRow = (height: number) => height > pageHeight / 2

/** Divides the width by the shares, and gives a column whose longest word is wider than its share what that word needs. */
function placeColumns(columns: { share: number; longest: number; align: 'end' | undefined }[]): Place[] {
  const sumShares = (list: typeof columns) => list.reduce((sum, { share }) => sum + share, 0)
  const fair = columns.map(({ share }) => (share * wholeWidth.width) / sumShares(columns))
  const wanted = columns.map(({ longest }, index) => Math.max(longest + cell.right + 1, leastShare * fair[index]!))
  const limit = (most: number) => wanted.map((width) => Math.min(width, most * wholeWidth.width))
  const sum = (widths: number[]) => widths.reduce((all, width) => all + width, 0)
  // One endless word breaks, so that the others do not.
  let most = 1
  while (most > 0 && sum(limit(most)) > wholeWidth.width) most -= 0.02
  const needed = limit(most)
  let widths = fair
  const grown = new Set<number>()
  for (let round = 0; round < columns.length; round += 1) {
    for (const [index, width] of widths.entries()) if (width < needed[index]!) grown.add(index)
    const taken = sum([...grown].map((index) => needed[index]!))
    const others = columns.filter((_, index) => !grown.has(index))
    widths = columns.map(({ share }, index) =>
      grown.has(index) ? needed[index]! : (share * (wholeWidth.width - taken)) / sumShares(others),
    )
  }
  let left = wholeWidth.left
  return widths.map((width, index) => {
    const place = { left, width: width - cell.right, align: columns[index]!.align }
    left += width
    return place
  })
}

function breakWord(word: string, width: number, measure: (part: string) => number): string[] {
  if (word.length < 8 || measure(word) <= width) return [word]
  const address = splitAddress(word)
  if (address.length > 1) return address.flatMap((one) => breakWord(one, width, measure))
  const parts: string[] = []
  let part = ''
  let taken = 0
  for (const segment of toGraphemes(word)) {
    const own = measure(segment)
    if (part !== '' && taken + own > width) {
      parts.push(part)
      part = ''
      taken = 0
    }
    part += segment
    taken += own
  }
  return [...parts, part]
}
