import { expect, test } from 'vitest'
import { readCorpus } from '#test/corpus.ts'
import { isVoicemail, parseAnswered, parseLeadType, parseSeconds } from './provider-words.ts'

test.each(readCorpus<{ text: string; seconds: number | null }>('durations'))(
  'the length of a call that is written $text is read to the second, or not at all [EDGE-01]',
  ({ text, seconds }) => {
    expect(parseSeconds(text)).toBe(seconds ?? text)
  },
)

test('how a call ended is known in the words of telephone systems [EDGE-08]', () => {
  for (const word of ['Answered', 'Accepted', 'Call connected', 'COMPLETED', 'ANSWER'])
    expect([word, parseAnswered(word)]).toEqual([word, true])
  for (const word of [
    'No Answer',
    'Left voicemail',
    'Not Connected',
    'Rejected',
    'declined',
    'NOANSWER',
    'CHANUNAVAIL',
  ])
    expect([word, parseAnswered(word)]).toEqual([word, false])
  expect(parseAnswered('in-progress')).toBe('in-progress')
})

test('a word that denies a voicemail is none [EDGE-08]', () => {
  for (const word of [
    'Voicemail',
    'left voice-mail',
    'No Answer - Voicemail',
    'Not answered, voicemail',
    'new_voicemail',
    'No agent available - voicemail',
    'No one answered, voicemail',
    'Not available - voicemail',
    'Left voicemail, not interested',
    'Abandoned to voicemail',
  ])
    expect([word, isVoicemail(word)]).toEqual([word, true])
  for (const word of [
    ...[
      'No voicemail',
      'voicemail_not_left',
      'Hung up before voicemail',
      'Abandoned in voicemail',
      'without-voicemail',
      'Did not leave a voicemail',
      'Voicemail (no message)',
    ],
  ])
    expect([word, isVoicemail(word)]).toEqual([word, false])
})

test('a lead whose type says how a call ended is a call [EDGE-08]', () => {
  for (const word of ['Missed Call', 'answered_call', 'Voicemail'])
    expect([word, parseLeadType(word)]).toEqual([word, 'Call'])
  expect(parseLeadType('Call back request')).toBe('Call back request')
})
