import { cutText } from '#contract/cut-text.ts'

/** Returns untrusted text as one line of at most `most` characters, without control and bidirectional characters; null if empty. */
export function toPlainText(value: unknown, most = 255): string | null {
  if (typeof value !== 'string') return null
  const text = value
    .slice(0, most * 20)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go.
    .replace(/[\s\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim()
  return text === '' ? null : cutText(text, most)
}
