/**
 * Returns the first `length` characters of a text as people count them: an emoji of several parts or a letter with its marks is one and is
 * never cut, unless it is a pile of marks: the result takes at most 32 times as many code units.
 */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const most = length * maxUnits
  let count = 0
  let end = 0
  for (const { index } of getGraphemes(text.slice(0, most + 1))) {
    end = index
    if (count === length) return text.slice(0, index)
    count += 1
  }
  if (text.length <= most) return text
  // The last one may go on behind `most`; a first one that does is cut all the same.
  return text.slice(0, end || most).replace(/[\uD800-\uDBFF]$/, '')
}

/** Returns whether a text has at most `length` characters, counted in the same way. */
export const fitsLength = (text: string, length: number): boolean =>
  text.length <= length || cutText(text, length).length === text.length

const maxUnits = 32

let segmenter: Intl.Segmenter | undefined
function getGraphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}
