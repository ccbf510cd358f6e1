import { dictionary } from '@zxcvbn-ts/language-common'

/** About fifty thousand passwords from leaked lists. In a file of its own, so that it is loaded only when needed. */
export const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'])
