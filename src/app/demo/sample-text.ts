import { endSentence } from '#contract/end-sentence.ts'
import type { SeededRandom } from './random.ts'
import type { DemoTrade } from './trades.ts'

/** Sample messages of leads, and notes of staff and clients. */

const messageOpenings = ['Hi,', 'Hello,', 'Good morning,', 'Hi there,', 'Hey,', '']
const messageClosings = [
  'Please call me after 4 pm.',
  'What would be the earliest appointment?',
  'Thanks!',
  'Can you send someone this week?',
  'Text is fine too.',
  'How soon could you come out?',
  'I am comparing three quotes.',
  'Our address is just off the main road, blue house on the corner, please ring twice because the bell is weak.',
  'The tenant is home on weekdays until noon; I live out of state and can approve estimates by email.',
]
export function composeFormMessage(dice: SeededRandom, trade: DemoTrade): string {
  const request = endSentence(dice.pick(trade.troubles))
  const more = dice.chance(0.25) ? endSentence(dice.pick(trade.troubles)) : ''
  const opening = dice.pick(messageOpenings)
  const closing = dice.chance(0.7) ? dice.pick(messageClosings) : ''
  return [opening, opening ? startSmall(request) : request, more === request ? '' : more, closing]
    .filter(Boolean)
    .join(' ')
}

/** Begins with a small letter, as after a salutation, unless the first word is I, a name or an abbreviation. */
const startSmall = (words: string) =>
  /^(I\b|[A-Z]\w*[A-Z]|[A-Z]\w*’)/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1)

/** The agency's blacklist; each of the offers below contains one of its keywords. */
export const blacklistedKeywords = ['seo services', 'backlinks', 'guest post', 'crypto', 'business loan', 'web traffic']
const spamOffers = [
  'We offer affordable SEO services and can put your site on page one within 30 days.',
  'Get 500 high authority backlinks for only $99, limited offer!',
  'I would like to publish a guest post on your blog, what is your price?',
  'Turn small savings into big profits with our crypto robot.',
  'You are pre-approved for a business loan up to $250,000, no paperwork.',
  'Buy real web traffic today and double your customers.',
]
export const pickSpamOffer = (dice: SeededRandom) => dice.pick(spamOffers)
const quietOffers = [
  'Do you need help with your website? Reply YES and our team will contact you.',
  'I represent a directory of local companies and can list you for free.',
  'We clean offices at night, would you like a quote?',
]
export const pickQuietOffer = (dice: SeededRandom) => dice.pick(quietOffers)

const staffNotes = [
  'Called twice, left a message.',
  'Existing customer of the client, second property.',
  'Wants an estimate before the end of the month.',
  'Asked for financing options.',
  'Spanish speaking, please send Luis.',
  'Outside of the service area, told the client.',
]
export const pickStaffNote = (dice: SeededRandom) => dice.pick(staffNotes)

const clientNotes = [
  'Estimate sent, waiting for the answer.',
  'Scheduled for Thursday morning.',
  'Went with a cheaper quote.',
  'Great customer, referred a neighbour as well.',
  'No answer after three tries.',
  'Job done and paid.',
  'Insurance is still deciding.',
]
export const pickClientNote = (dice: SeededRandom) => dice.pick(clientNotes)

const companyNames = ['Oakwood Apartments', 'Lakeside Dental', 'Northgate Storage', 'Bluebird Cafe', 'Harbor Church']
export const pickCompany = (dice: SeededRandom) => dice.pick(companyNames)
