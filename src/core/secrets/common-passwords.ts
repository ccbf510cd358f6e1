import { dictionary } from '@zxcvbn-ts/language-common'

/** Some fifty thousand passwords from leaked lists. A file of its own, so that they are loaded when they are first needed. */
export const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'])
