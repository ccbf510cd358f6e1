/**
 * Runs in the page. Returns its phones, emails, dates, times and amounts that are cut, or broken where they must not be: an email may
 * be broken after @ or a point, nothing else within itself.
 */
export function listCutValues(): string[] {
  const phone = String.raw`\+\d[\d ().-]{7,}\d|\(\d{3}\) \d{3}-\d{4}`
  const email = String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`
  const date = String.raw`\d{2}/\d{2}/\d{4}`
  const time = String.raw`\b\d{1,2}:\d{2}(?: [AP]M)?(?: [A-Z]{3,4})?\b`
  const money = String.raw`-?\$\d[\d,]*(?:\.\d+)?`
  const values = new RegExp([phone, email, date, time, money].join('|'), 'g')
  const found = new Set<string>()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement! // a text of the body has one
    // The parts of an email are one text for the eye, with places to break between them.
    const parts = parent.closest('[class*=email_]')
    if (parts && !parts.firstChild!.contains(node)) continue
    const whole = parts ?? node
    if (whole.textContent!.search(values) < 0 || !isShown(parent)) continue
    for (const { 0: value, index } of whole.textContent!.matchAll(values)) check(whole, parent, value, index)
  }
  return [...found]

  function isShown(element: Element): boolean {
    const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    return isSeen && !element.closest('script, style, option, svg, [aria-hidden=true], [class*=unseen]')
  }

  function check(whole: Node, parent: Element, value: string, index: number) {
    const range = rangeOf(whole, index, value.length)
    const { width } = range.getBoundingClientRect()
    if (width < 2) return
    const place = `${describePlace(parent)}`
    if (!isBrokenWell(whole, index, value)) found.add(`${value} is broken in ${place}`)
    if (isCut(parent, range)) found.add(`${value} is cut in ${place}`)
  }

  /** Returns the range of these letters, which may lie in several texts. */
  function rangeOf(whole: Node, index: number, length: number): Range {
    const range = document.createRange()
    const texts = document.createTreeWalker(whole, NodeFilter.SHOW_TEXT)
    let before = 0
    for (let text = whole.nodeType === Node.TEXT_NODE ? whole : texts.nextNode(); text; text = texts.nextNode()) {
      const end = before + text.textContent!.length
      if (index >= before && index < end) range.setStart(text, index - before)
      if (index + length > before && index + length <= end) range.setEnd(text, index + length - before)
      before = end
    }
    return range
  }

  /** Whether each further line begins where the value may be broken. */
  function isBrokenWell(whole: Node, index: number, value: string): boolean {
    const { height } = rangeOf(whole, index, 1).getBoundingClientRect()
    if (rangeOf(whole, index, value.length).getBoundingClientRect().height < height * 1.5) return true
    let line: number | undefined
    for (let at = 0; at < value.length; at += 1) {
      const { top, width } = rangeOf(whole, index + at, 1).getBoundingClientRect()
      if (width === 0) continue
      const isNewLine = line !== undefined && top - line > height / 2
      if (isNewLine && !(value.includes('@') && '@.'.includes(value[at - 1]!))) return false
      line = top
    }
    return true
  }

  /** Whether an element around it hides a part. What can be scrolled is not cut, nor is a long text that says that it goes on. */
  function isCut(parent: Element, range: Range): boolean {
    const { left, right, bottom } = range.getBoundingClientRect()
    for (let at: Element | null = parent; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at)
      if (style.webkitLineClamp !== 'none' || /auto|scroll/.test(style.overflowX)) break
      if (!/hidden|clip/.test(style.overflowX)) continue
      const box = at.getBoundingClientRect()
      if (right > box.right + 1 || left < box.left - 1) return true
      if (/hidden|clip/.test(style.overflowY) && bottom > box.bottom + 3) return true
      if (style.textOverflow === 'ellipsis' && at.scrollWidth > at.clientWidth && right > box.right - 20) return true
    }
    const cell = parent.closest('td, th, dd')
    return cell !== null && cell.scrollWidth > cell.clientWidth
  }

  function describePlace(element: Element): string {
    const cell = element.closest('td')
    const title = cell?.closest('table')?.querySelectorAll('thead th')[cell.cellIndex]?.textContent
    return title ?? `${element.tagName.toLowerCase()} ${element.parentElement!.textContent.slice(0, 60)}`
  }
}

/**
 * Runs in the page. Returns the columns in sight in which names and addresses are cut, or which go on under the edge, while another
 * column in sight has the room for it. A longer text says that it goes on.
 */
export function listStarvedColumns(): string[] {
  const [longestName, emptyRoom] = [64, 56]
  const found: string[] = []
  for (const table of document.querySelectorAll<HTMLTableElement>('main table[aria-rowcount]')) {
    const heads = [...table.querySelectorAll<HTMLElement>('thead tr:last-child th')]
    const rows = [...table.querySelectorAll<HTMLTableRowElement>('tr[data-index]')]
    const pinned = heads.find(({ dataset }) => dataset.pinned === 'end')
    const edge = pinned ? pinned.getBoundingClientRect().left : table.parentElement!.getBoundingClientRect().right
    const columns = heads
      .map((head, index) => {
        const { left, right, width } = head.getBoundingClientRect()
        const cells = rows.flatMap((row) => row.cells[index] ?? [])
        const needed = Math.max(...[head, ...cells].map(measureContent)) + measurePadding(head)
        const cut = cells.find(isCut)?.textContent
        return { title: head.textContent, left, room: width - needed, cut, lacks: left + needed - edge, right }
      })
      .filter(({ left, title }) => left < edge - 24 && title !== pinned?.textContent)
    const widest = columns.filter(({ right }) => right <= edge + 1).toSorted((a, b) => b.room - a.room)[0]
    for (const { title, cut, lacks } of columns)
      if (widest && widest.room > emptyRoom && (cut !== undefined || (lacks > 0 && lacks < widest.room)))
        found.push(
          `${cut ?? 'all'} is cut in ${title} beside ${Math.round(widest.room)} empty pixels of ${widest.title}`,
        )
  }
  return found

  function isCut(cell: Element): boolean {
    return [...cell.querySelectorAll<HTMLElement>('*')].some((one) => {
      if (one.textContent.length > longestName) return false
      const { webkitLineClamp, textOverflow } = getComputedStyle(one)
      if (webkitLineClamp !== 'none') return one.scrollHeight > one.clientHeight + 2
      return textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth + 1
    })
  }

  /** Returns how wide its letters, icons and controls are. */
  function measureContent(cell: Element): number {
    const range = document.createRange()
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    const boxes = [...cell.querySelectorAll('svg, input, img, button, select, textarea, audio')].map((one) =>
      one.getBoundingClientRect(),
    )
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      range.selectNodeContents(text)
      boxes.push(range.getBoundingClientRect())
    }
    const seen = boxes.filter(({ width }) => width > 1)
    if (seen.length === 0) return 0
    return Math.max(...seen.map(({ right }) => right)) - Math.min(...seen.map(({ left }) => left))
  }

  function measurePadding(head: Element): number {
    const { paddingLeft, paddingRight } = getComputedStyle(head)
    return Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
  }
}

/** Runs in the page. Returns by how many pixels its list is wider than its window. */
export function measureListOverflow(): number {
  const { scrollWidth, clientWidth } = document.querySelector('main table[aria-rowcount]')!.parentElement!
  return scrollWidth - clientWidth
}

/** Runs in the page. Returns in how many lines the text of a cell stands. */
export function countTextLines(cell: Element): number {
  const range = document.createRange()
  range.selectNodeContents(cell)
  return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
}
