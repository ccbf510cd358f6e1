import { hash as argon2, verify as argon2Verify } from '@node-rs/argon2'
import { validationError } from '../http/errors.ts'

/** argon2id at OWASP's second recommended setting: 19 MiB, two passes, one lane. */
const argonOptions = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => argon2(password, argonOptions)

export const commonPasswordMessage = 'This password is on the lists that attackers try first, please choose another'
/** Imports a file of our own: a CommonJS package has other export names once it is bundled into the server. */
export const isCommonPassword = async (password: string) =>
  (await import('./common-passwords.ts')).commonPasswords.has(password.toLowerCase())

/** Returns the hash of a new password; throws 422 at `field` for a common one. */
export async function hashNewPassword(password: string, field = 'password'): Promise<string> {
  if (await isCommonPassword(password)) throw validationError({ [field]: [commonPasswordMessage] })
  return hashPassword(password)
}

/** The hash of a random password, so that an unknown user takes as long as a wrong password. */
const dummyHash = hashPassword(crypto.randomUUID())
/** For an account that cannot sign in until it gets a password. */
export const getDummyHash = () => dummyHash
/** In place of a hash, for an invited person who has not arrived yet: no password, and no other way in, has been used. */
export const notArrivedHash = '!'

/** Returns whether the password matches; false, after the same time, if there is no hash. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const real = hash === notArrivedHash ? undefined : hash
  const matches = await argon2Verify(real ?? (await dummyHash), password)
  return real !== undefined && matches
}
