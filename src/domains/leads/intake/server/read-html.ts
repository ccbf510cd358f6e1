/** What a program writes as HTML, and hardly a visitor: a line break, the end of an element of text, or a picture. */
const isHtml = /<br\s*\/?>|<\/(?:p|div|span|ul|ol|li|a|b|strong|i|em|u|h[1-6])>|<img\s[^<>]*\bsrc\s*=\s*["']/i
const lineBreak = /<br\s*\/?>[^\S\n]*\n?/gi
const blockEnd = /<\/(?:p|div|ul|ol|li|h[1-6])>\s*/gi
/** A block begins on a line of its own, as in `One<div>two</div>`. */
const blockStart = /(?<=[^\s>][^\S\n]*|<\/(?:span|a|b|strong|i|em|u)>)<(?:p|div|ul|ol|li|h[1-6])(?:\s[^<>]*)?>/gi
const otherTag = /<\/?(?:p|div|span|ul|ol|li|b|strong|i|em|u|h[1-6])(?:\s[^<>]*)?>/gi
const picture = /<img\s([^<>]*)>/gi
const link = /<a\s([^<>]{0,2000})>((?:[^<>]|<img\s[^<>]*>)*)<\/a>/gi
const linkTarget = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)')/i
const pictureSource = /(?:^|\s)src\s*=\s*(?:"([^"]*)"|'([^']*)')/i

/**
 * Returns text that a form plugin sends as HTML, such as `<p>One<br />two</p>` or a link, as it reads: its lines are lines, a link is its
 * words and where it leads, and an uploaded picture its address. Entities stay as they are, and so does text that has no such tags, such as
 * `<6 ft>`.
 */
export function readHtml(text: string): string {
  if (!isHtml.test(text)) return text
  return text
    .replace(lineBreak, '\n')
    .replace(blockStart, '\n')
    .replace(blockEnd, '\n')
    .replace(otherTag, '')
    .replace(link, (_, attributes: string, words: string) =>
      joinLink(words.replace(picture, '').trim(), findAddress(linkTarget, attributes)),
    )
    .replace(picture, (tag, attributes: string) => namePicture(findAddress(pictureSource, attributes)) ?? tag)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}

function findAddress(attribute: RegExp, attributes: string): string {
  const [, double, single] = attribute.exec(attributes) ?? []
  return (double ?? single ?? '').trim()
}

/** A picture may be sent as its own bytes, as of a signature. Null for one without an address, which a visitor may have written. */
const namePicture = (address: string): string | null => (/^data:/i.test(address) ? '(a picture)' : address || null)

function joinLink(words: string, address: string): string {
  if (address === '') return words
  if (words === '') return address.replace(/^(?:mailto|tel):/i, '')
  return /^(?:mailto|tel):/i.test(address) || isSame(words, address) ? words : `${words} (${address})`
}

const isSame = (words: string, address: string) => toBare(words) === toBare(address)
const toBare = (text: string) => text.replace(/^https?:\/\/|\/$/gi, '').toLowerCase()
