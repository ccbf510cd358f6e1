import { hash as argon2, verify as argon2Verify } from '@node-rs/argon2'
import { validationError } from '../http/errors.ts'

/** argon2id at OWASP's second recommended setting: 19 MiB, two passes, one lane. */
const argonOptions = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => argon2(password, argonOptions)

export const commonPasswordMessage = 'This password is on the lists that attackers try first, please choose another'
/** Imported by a file of ours: a package that is no module has other names once it is bundled into the server. */
export const isCommonPassword = async (password: string) =>
  (await import('./common-passwords.ts')).commonPasswords.has(password.toLowerCase())

/** The hash of a password that somebody chose; 422 at `field` for one that everybody chooses. */
export async function hashNewPassword(password: string, field = 'password'): Promise<string> {
  if (await isCommonPassword(password)) throw validationError({ [field]: [commonPasswordMessage] })
  return hashPassword(password)
}

/** A hash of nothing anybody knows: an unknown user costs the same time as a wrong password. */
const dummyHash = hashPassword(crypto.randomUUID())
/** For an account that nobody shall sign in to until it is given a password. */
export const getDummyHash = () => dummyHash

/** Whether it is the password; false, after the same time, where there is no hash to compare with. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const matches = await argon2Verify(hash ?? (await dummyHash), password)
  return hash !== undefined && matches
}
