import { expect, test } from 'vitest'
import { readCorpus } from '#test/corpus.ts'
import { parseAnswered, parseSeconds } from './provider-words.ts'

test.each(readCorpus<{ text: string; seconds: number | null }>('durations'))(
  'the length of a call that is written $text is read to the second, or not at all [EDGE-01]',
  ({ text, seconds }) => {
    expect(parseSeconds(text)).toBe(seconds ?? text)
  },
)

test('how a call ended is known in the words of telephone systems [EDGE-08]', () => {
  for (const word of ['Answered', 'Accepted', 'Call connected', 'COMPLETED'])
    expect([word, parseAnswered(word)]).toEqual([word, true])
  for (const word of ['No Answer', 'Left voicemail', 'Not Connected', 'Rejected', 'declined'])
    expect([word, parseAnswered(word)]).toEqual([word, false])
  expect(parseAnswered('in-progress')).toBe('in-progress')
})
