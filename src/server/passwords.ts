import { hash as argon2, verify as argon2Verify } from '@node-rs/argon2'

/** argon2id at OWASP's second recommended setting: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => argon2(password, cost)

/** A hash of nothing anybody knows: an unknown user costs the same time as a wrong password. */
const nobody = hashPassword(crypto.randomUUID())

/** Whether it is the password; false, after the same time, where there is no hash to compare with. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const matches = await argon2Verify(hash ?? (await nobody), password)
  return hash !== undefined && matches
}
