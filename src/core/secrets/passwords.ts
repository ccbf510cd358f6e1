import { hash as argon2, verify as argon2Verify } from '@node-rs/argon2'
import { foldText } from '#contract/fold-text.ts'
import { validationError } from '../http/errors.ts'

/** argon2id at OWASP's second recommended setting: 19 MiB, two passes, one lane. */
const argonOptions = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Keyboards and password managers compose `ö` of one character or of two: both are one password, as NIST SP 800-63B says. */
const compose = (password: string) => password.normalize('NFC')

export const hashPassword = (password: string) => argon2(compose(password), argonOptions)

export const commonPasswordMessage = 'This password is on the lists that attackers try first, please choose another'
/** Imports a file of our own: a CommonJS package has other export names once it is bundled into the server. */
export const isCommonPassword = async (password: string) =>
  (await import('./common-passwords.ts')).commonPasswords.has(password.toLowerCase())

export const namedPasswordMessage = "The password must not contain the nickname or the company's name"
/** A shorter name is in too many words. */
const minNameLetters = 4

/** Whether a password contains one of these names, in whatever spelling, with signs and spaces left out. */
export function containsName(password: string, names: readonly (string | null | undefined)[]): boolean {
  const typed = keepLetters(password)
  return names
    .map((name) => keepLetters(name ?? ''))
    .some((name) => [...name].length >= minNameLetters && typed.includes(name))
}
const keepLetters = (text: string) => foldText(text).replace(/[^\p{L}\p{N}]/gu, '')

/** Throws 422 at `field` for a password that contains a name of its account, or of the account's company. */
export function assertNotNamed(password: string, names: readonly (string | null | undefined)[], field = 'password') {
  if (containsName(password, names)) throw validationError({ [field]: [namedPasswordMessage] })
}

/** Returns the hash of a new password; throws 422 at `field` for a common one. See also `assertNotNamed`. */
export async function hashNewPassword(password: string, field = 'password'): Promise<string> {
  if (await isCommonPassword(password)) throw validationError({ [field]: [commonPasswordMessage] })
  return hashPassword(password)
}

/** The hash of an account without a password: no password has it, and to compare one takes as long as with any other. */
export const noPasswordHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
/** In place of a hash, for an invited person who has not arrived yet: no password, and no other way in, has been used. */
export const notArrivedHash = '!'

export const noPasswordMessage = 'You have no password yet: choose one with “Forgot password?” on the login page'
export const isWithoutPassword = (hash: string | undefined) => hash === noPasswordHash || hash === notArrivedHash

/** Returns whether the password matches; false, after the same time, if there is no hash. */
export async function verifyPassword(password: string, hash = notArrivedHash): Promise<boolean> {
  const stored = hash === notArrivedHash ? noPasswordHash : hash
  const composed = compose(password)
  // Older hashes are of passwords as they were typed.
  return (await argon2Verify(stored, composed)) || (composed !== password && (await argon2Verify(stored, password)))
}
