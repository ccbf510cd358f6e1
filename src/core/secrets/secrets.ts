import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getErrorCode } from '../error-code.ts'
import { ensureDataDirectory, InvalidSettingsError, secretKeyMessage, secretKeyPattern } from '../settings/settings.ts'

export const hashSha256 = (value: string) => createHash('sha256').update(value).digest()
/** Returns a random token of `bits` bits, safe in a URL. */
export const randomToken = (bits = 256) => randomBytes(bits / 8).toString('base64url')
/** Compares in constant time. */
export const isEqualBytes = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)
export const isEqualText = (a: string, b: string) => isEqualBytes(hashSha256(a), hashSha256(b))

/**
 * Encrypts with AES-256-GCM and a key that is not in the database. A value is bound to the place it is stored in
 * (`client_sites.hook_key:12`), so that a copy in another row does not decrypt. Layout: 12 bytes nonce, 16 bytes tag, ciphertext.
 */
export class SecretBox {
  readonly #key: Buffer

  constructor(hexKey: string) {
    this.#key = Buffer.from(hexKey, 'hex')
  }

  seal(value: string, place: string): Buffer {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(place))
    const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  /** Throws if the key differs or the value was moved or altered. */
  open(sealed: Buffer, place: string): string {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, 12)).setAAD(Buffer.from(place))
    decipher.setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
  }

  /** Signs a value that clients send back, such as a short-lived address. */
  sign(value: string): string {
    return createHmac('sha256', this.#key).update(value).digest('base64url')
  }
}

export const randomKey = () => randomBytes(32).toString('hex')

type KeySettings = { SECRET_KEY?: string | undefined; DATA_DIR: string }
const keyFilePath = (settings: KeySettings) => join(settings.DATA_DIR, 'secret.key')

/** Returns the key from the settings, else the one in the data directory, which the first start creates. Throws if that is no key. */
export function readSecretKey(settings: KeySettings): string {
  const key = findSecretKey(settings)
  if (key !== null) return key
  ensureDataDirectory(settings.DATA_DIR)
  createKeyFile(keyFilePath(settings))
  return readSecretKey(settings)
}

function findSecretKey(settings: KeySettings): string | null {
  if (settings.SECRET_KEY) return settings.SECRET_KEY
  const file = keyFilePath(settings)
  if (!existsSync(file)) return null
  const key = readFileSync(file, 'utf8').trim()
  if (!secretKeyPattern.test(key))
    throw new InvalidSettingsError([
      `SECRET_KEY in ${file} ${secretKeyMessage}: put the key back that was in this file`,
    ])
  return key
}

/** Returns the box of the key; while there is none yet, one that opens nothing, and no key is created. */
export const openSecretBox = (settings: KeySettings) => new SecretBox(findSecretKey(settings) ?? randomKey())

/** Creates the file whole or not at all. Of processes that start together, one creates it. */
function createKeyFile(file: string) {
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, randomKey(), { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}
