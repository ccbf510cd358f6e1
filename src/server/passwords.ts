import { hash as argon2, verify as argon2Verify } from '@node-rs/argon2'
import { invalid } from './errors.ts'

/** argon2id at OWASP's second recommended setting: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => argon2(password, cost)

let common: Promise<Set<string>> | undefined
/** Some fifty thousand passwords from leaked lists; loaded when somebody first chooses one. */
const commonPasswords = () => {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']))
  return common
}

/** The hash of a password that somebody chose; 422 at `field` for one that everybody chooses. */
export async function hashChosen(password: string, field = 'password'): Promise<string> {
  const isCommon = (await commonPasswords()).has(password.toLowerCase())
  if (isCommon)
    throw invalid({ [field]: ['This password is on the lists that attackers try first, please choose another'] })
  return hashPassword(password)
}

/** A hash of nothing anybody knows: an unknown user costs the same time as a wrong password. */
const nobody = hashPassword(crypto.randomUUID())

/** Whether it is the password; false, after the same time, where there is no hash to compare with. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const matches = await argon2Verify(hash ?? (await nobody), password)
  return hash !== undefined && matches
}
