import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { cleanText } from '#contract/clean-text.ts'
import { isUnfilled } from '#contract/empty-text.ts'
import { emailField, requiredText } from '#contract/fields.ts'
import { foldText } from '#contract/fold-text.ts'
import { describeDateProblem, readSureMoment } from '#contract/read-date.ts'
import { readEmail, splitAddresses } from '#contract/read-email.ts'
import { describeNumberProblem } from '#contract/read-number.ts'
import { readPhone } from '#contract/read-phone.ts'
import { httpUrlField } from '#contract/web-address.ts'
import { getErrorCode } from '#core/error-code.ts'
import { cleanCell } from '#domains/imports/server/cells.ts'
import { toText } from '#domains/leads/custom-sources/body-paths.ts'
import { suggestMapping } from '#domains/leads/custom-sources/server/suggest-mapping.ts'
import { FormFields, parsePerson } from '#domains/leads/intake/server/form-fields.ts'
import { cleanLine, cleanText as cleanSentText, getUrlParameter } from '#domains/leads/intake/server/incoming-lead.ts'
import { detectTrafficSource } from '#domains/leads/intake/server/lead-source.ts'
import { parseEventBody } from '#domains/leads/intake/server/parse-body.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'

/** What makes a pattern look again at what it has read, over and over: a part that may go on, and an end that never comes. */
const parts = [
  ...['%a%%', '%a', '{{', '{{a}', '{a:1}', '[a', '[a b="c"]', '*|a', '<%', '${a', 'undefined ', 'null '],
  ...['a@', 'a.', '@a,', 'a@b ', 'a-', '(', '()', '[', '- ', '+', '+1 - ', '00 - ', '1', '512 ', '512-A-', '1,111'],
  ...['5125550144 ', 'fax 5125550144 ', '800-GOT-JUNK ', '2200 Congress Ave ', 'zero', 'fax', 'tel/', '\u{1f3fb}'],
  ...['\u{e0061}', 'क\u0301\u200d', '\u0301', '\u200d', '’a', '@\u3002', ' ', '\t ', '\n', 'a = b\n', '-', '/', ':'],
  ...['"', "'", '\\', ',', ';', '<br>', '<p ', '<a ', '<a ><img ', '<img ', '</p> ', '&#', 'Ã©', 'google ', 'aB', '__'],
]
const repeat = (part: string) => part.repeat(Math.ceil(100_000 / part.length))
const texts = [
  ...parts.map((part) => `${repeat(part)}!`),
  ...['.', 'a-', ','].map((part) => `a@${repeat(part)} x`),
  ...['<p ', '<a ', '<a ><img ', '<img ', '</p> ', ' '].map((part) => `<br>${repeat(part)}x`),
  ...[' ', '1', '(', ' - '].map((part) => `5125550144${repeat(part)}x`),
  `\u{1f3f4}${repeat('\u{e0061}')}`,
]

const readers: Record<string, (text: string) => unknown> = {
  cleanText,
  isUnfilled,
  foldText,
  readEmail,
  splitAddresses,
  readPhone,
  readSureMoment,
  'the sentences for dates and amounts': (text) => [
    describeDateProblem(text, 'mdy'),
    describeNumberProblem(text, 'point'),
  ],
  'fields of forms': (text) =>
    [requiredText('No name'), emailField, httpUrlField('No address')].map((field) => field.safeParse(text).success),
  cleanCell,
  'text as a sender writes it': (text) => [cleanSentText(text, 20_000), cleanLine(text)],
  'a parameter of an address': (text) => getUrlParameter(`https://x.example/?a=${encodeURIComponent(text)}`, 'a'),
  detectTrafficSource: (text) =>
    detectTrafficSource({ names: [text], utmSource: text, utmMedium: text, utmCampaign: text, referrer: text }),
  cleanContact: (text) => cleanContact({ lead_name: text, lead_email: text, lead_phone: text, message: text }),
  'answers of a form': (text) => {
    const fields = new FormFields({ x1: text, phone: text, email: text, country: text, [text.slice(0, 20_000)]: 'yes' })
    return [parsePerson(fields), fields.rest()]
  },
  toText,
  suggestMapping: (text) => suggestMapping({ x1: text, [text.slice(0, 20_000)]: 'yes' }),
  'a body': (text) => parseEventBody(Buffer.from(JSON.stringify({ x1: text }))),
}

test.each(Object.entries(readers))(
  '%s: no text holds up the process',
  (_, read) => {
    const slow = texts.filter((text) => !isReadInTime(() => read(text)))
    expect(slow.map((text) => `${text.slice(0, 12)} … ${text.slice(-6)}`)).toEqual([])
  },
  120_000,
)

/** A pattern that would take hours is stopped, as only a machine of its own can stop code that does not give way. */
function isReadInTime(read: () => unknown): boolean {
  try {
    runInContext('read()', createContext({ read }), { timeout: 5000 })
    return true
  } catch (error) {
    return getErrorCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  }
}
