import { z } from 'zod'

/** Says in plain words what is wrong with a value whose field has no sentence for it; the library's words name its types. */
z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'unrecognized_keys':
        return undefined // said of each key (`toFieldErrors`)
      case 'invalid_type':
        return issue.input === undefined ? 'This field is missing' : (typeMessages[issue.expected] ?? refused)
      case 'invalid_value':
        return issue.values.length > maxListed ? refused : `Must be ${joinChoices(issue.values.map(String))}`
      case 'too_small':
        return issue.minimum === 1 && issue.origin !== 'number' ? 'Must not be empty' : describeLimit('least', issue)
      case 'too_big':
        return describeLimit('most', issue)
      default:
        return refused
    }
  },
})

const refused = 'This value is not accepted'
const maxListed = 12

const typeMessages: Readonly<Record<string, string>> = {
  string: 'Must be text',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be a list',
  object: 'Must be an object',
  record: 'Must be an object',
}

const joinChoices = (choices: readonly string[]) => choices.join(', ').replace(/, ([^,]*)$/, ' or $1')

function describeLimit(
  which: 'least' | 'most',
  issue: { origin: string; minimum?: unknown; maximum?: unknown },
): string {
  const limit = String(which === 'least' ? issue.minimum : issue.maximum)
  return `At ${which} ${limit}${issue.origin === 'string' ? ' characters' : ''}`
}
