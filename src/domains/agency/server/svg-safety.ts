/** The elements of drawings. Others can run, load, animate, repeat or depend on the fonts of this machine. */
const drawingElements = new Set(
  [
    'svg g defs title desc metadata style path rect circle ellipse line polyline polygon',
    'linearGradient radialGradient stop clipPath',
  ]
    .join(' ')
    .split(' '),
)
/** What drawing programs note for themselves; nothing of it is drawn. */
const notePrefix = /^(sodipodi|inkscape|rdf|cc|dc|i|x|xmp|xmpMM):/
/** Elements and comments. */
const maxParts = 20_000
const maxDepth = 64

const refused = (what: string) => `This SVG has ${what}, which is not accepted: save it as a PNG`

/**
 * Returns why an SVG image is not surely a mere drawing; null if it is. It reads the markup strictly: what it does not know is refused, so
 * that nothing in it can run, load or refer to something else, or grow.
 */
export function findUnsafeSvgPart(bytes: Buffer): string | null {
  const text = decodeStrictly(bytes)
  if (text === null) return 'This SVG is not UTF-8 text: save it as a PNG'
  const depth: string[] = []
  const declaration = /<\?xml\s[^<>?]*\?>/.exec(text.slice(0, 300))
  let parts = 0
  let isBegun = false
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('<', at)
    const between = text.slice(at, open === -1 ? text.length : open)
    const unsafeText = findUnsafeText(between, depth.at(-1))
    if (unsafeText) return unsafeText
    if (open === -1) break
    if (text[open + 1] !== '/') parts += 1
    if (parts > maxParts) return refused('too many parts')
    const comment = /^<!--(?:(?!--)[\s\S])*-->/.exec(text.slice(open, open + 100_000))
    const skipped = comment ?? (declaration?.index === open ? declaration : null)
    if (skipped) {
      at = open + skipped[0].length
      continue
    }
    const tag = tagPattern.exec(text.slice(open, open + 200_000))
    if (!tag) return refused('a part that is no element of a drawing')
    const [whole, slash, name = '', attributes = '', selfClosed] = tag
    at = open + whole.length
    if (slash) {
      if (depth.pop() !== name || attributes.trim() !== '') return refused('elements that do not close')
      continue
    }
    if (depth.length > maxDepth) return refused('too many parts')
    if (depth.length === 0 && isBegun) return refused('more than one image')
    isBegun = true
    if (!drawingElements.has(name.replace(/^svg:/, '')) && !notePrefix.test(name)) return refused(`a <${name}>`)
    const unsafe = findUnsafeAttribute(attributes)
    if (unsafe) return unsafe
    if (!selfClosed) depth.push(name)
  }
  return depth.length > 0 || !isBegun ? refused('elements that do not close') : null
}

const attributePattern = String.raw`\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*')`
const tagPattern = new RegExp(String.raw`^<(/?)([A-Za-z_][\w:.-]*)((?:${attributePattern})*)\s*(/?)>`)

function decodeStrictly(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // A declaration of another encoding would make another text of the same bytes.
    return /^\s*<\?xml[^>]*encoding\s*=\s*["'](?!utf-?8["'])/i.test(text) || text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** Entities and character references can hide what a value says. */
const hiddenCharacter = /&(?!(?:amp|lt|gt|quot|apos);)/

function findUnsafeAttribute(attributes: string): string | null {
  for (const [, name = '', quoted = ''] of attributes.matchAll(/([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
    const value = quoted.slice(1, -1)
    if (hiddenCharacter.test(value)) return refused('hidden characters')
    if (/^on/i.test(name)) return refused('a script')
    if (/(^|:)(href|base|src)$/i.test(name) && !/^#[\w.:-]*$/.test(value))
      return refused('a reference to something else')
    if (/^xmlns(:|$)/.test(name)) continue
    const unsafe = findUnsafeStyle(value)
    if (unsafe) return unsafe
  }
  return null
}

function findUnsafeText(text: string, parent: string | undefined): string | null {
  if (hiddenCharacter.test(text)) return refused('hidden characters')
  if (parent === undefined) return /^[\s\ufeff]*$/.test(text) ? null : refused('text beside the image')
  return parent === 'style' ? findUnsafeStyle(text) : null
}

/** Only references to the image's own parts. CSS escapes can hide others. */
function findUnsafeStyle(value: string): string | null {
  if (/\\|@import|@font-face|expression\s*\(|javascript:|data:/i.test(value))
    return refused('a reference to something else')
  const references = value.match(/url\s*\([^)]*\)?/gi) ?? []
  const isOwn = (reference: string) => /^url\(\s*["']?#[\w.:-]+["']?\s*\)$/i.test(reference)
  return references.every(isOwn) ? null : refused('a reference to something else')
}
