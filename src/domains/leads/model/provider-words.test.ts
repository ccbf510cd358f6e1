import { expect, test } from 'vitest'
import { readCorpus } from '#test/corpus.ts'
import { parseSeconds } from './provider-words.ts'

test.each(readCorpus<{ text: string; seconds: number | null }>('durations'))(
  'the length of a call that is written $text is read to the second, or not at all [EDGE-01]',
  ({ text, seconds }) => {
    expect(parseSeconds(text)).toBe(seconds ?? text)
  },
)
