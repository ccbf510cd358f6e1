import { expect, test } from 'vitest'
import { createSpamMatcher } from './spam-match.ts'

const lead = { phone_key: null, lead_name: null, lead_email: null, message: null, last_url: null }
const hits = (keyword: string, message: string) =>
  createSpamMatcher({ spammers: [], keywords: [{ id: 1, keyword }] })({ ...lead, message }).length > 0

test.each([
  ['a', 'Please call me about a roof', true],
  ['a', 'Please call me', false],
  ['seo', 'We sell SEO, cheap', true],
  ['seo', 'From Seoul with love', false],
  ['seo*', 'From Seoul with love', true],
  ['seo*', 'museo', false],
  ['guest post', 'a Guest\n  post for you', true],
  ['guest post', 'guest posts', false],
  ['cafe', 'The Café, please', true],
  ['Café', 'the CAFE', true],
  ['крипто', 'Купи КРИПТО!', true],
  ['крипто', 'криптовалюта', false],
  ['crypto', 'cryptо2 crypto9', false],
  ['casino', 'the best c\u0430s\u0456n\u043e', true], // Cyrillic letters among Latin ones (splorp/wordpress-comment-blocklist#10)
  ['casino', 'C\u0391SIN\u039f', true], // Greek ones
  ['parcel', 'P\u0430r\u03f2el / \u0455h\u0456\u0440\u0440ed', true], // afterxleep/Bouncer#30
  ['c\u0430sino', 'casino', true],
  ['cop', '\u0441\u043e\u0440', false], // a Russian word
  ['um', '5 \u03bcm', false],
  ['$$$', 'earn$$$now', true],
  ['.ru', 'http://spam.ru/x', true],
  ['.ru', 'http://spam.rush', false],
  ['@spam.example', 'joe@spam.example', true],
  ['(free)', 'is it (free)?', true],
  ['50%', 'get50% off', false],
  ['50%', 'get 50%off', true],
  ['*', 'anything', false],
])('the keyword %j in %j: %j [RULE-01]', (keyword, message, is) => {
  expect(hits(keyword, message)).toBe(is)
})

test('all rules that hit are listed, spammers first; emails are compared ignoring case [RULE-01]', () => {
  const find = createSpamMatcher({
    spammers: [{ id: 7, name: 'Sam', phone_key: null, email: 'Sam@Spam.example' }],
    keywords: [
      { id: 2, keyword: 'roof' },
      { id: 1, keyword: 'free' },
    ],
  })
  const found = find({ ...lead, lead_email: 'SAM@spam.example', lead_name: 'Free', last_url: 'https://a.example/roof' })
  expect(found.map(({ rule, tag }) => [rule, tag])).toEqual([
    [7, 'Autospam'],
    [2, 'BLSpam'],
    [1, 'BLSpam'],
  ])
})
