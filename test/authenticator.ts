import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

type Options = { challenge: string; rp?: { id?: string }; rpId?: string }
/** Errors that a test can make it commit. */
type Deviations = { origin?: string; rpId?: string; counter?: number; userVerified?: boolean; challenge?: string }

const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest()
const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

/** A software passkey that responds like a browser's authenticator: ES256, a counter, no attestation. */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const credentialId = id.toString('base64url')
  const named = { id: credentialId, rawId: credentialId, type: 'public-key' as const, clientExtensionResults: {} }
  let count = 0

  const clientData = (type: string, { challenge }: Options, wrong: Deviations) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    )
  function authData(options: Options, wrong: Deviations, attested?: Buffer) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(wrong.counter ?? ++count)
    const verified = wrong.userVerified === false ? 0 : flags.verified
    const bits = flags.present | verified | (attested ? flags.attested : 0)
    const host = wrong.rpId ?? options.rp?.id ?? options.rpId ?? ''
    return Buffer.concat([sha256(host), Buffer.from([bits]), counter, ...(attested ? [attested] : [])])
  }

  return {
    credentialId,
    register(options: Options, wrong: Deviations = {}) {
      const clientDataJSON = clientData('webauthn.create', options, wrong)
      const bytes = (part: string) => new Uint8Array(Buffer.from(part, 'base64url'))
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array<ArrayBuffer>>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, bytes(x)],
          [-3, bytes(y)],
        ]),
      )
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authData(options, wrong, attested))],
        ]) as never, // the encoder's own type for values is not exported
      )
      const attestationObject = Buffer.from(attestation).toString('base64url')
      return {
        ...named,
        response: { clientDataJSON: clientDataJSON.toString('base64url'), attestationObject, transports: ['internal'] },
      }
    },
    sign(options: Options, wrong: Deviations = {}) {
      const clientDataJSON = clientData('webauthn.get', options, wrong)
      const authenticatorData = authData(options, wrong)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey)
      return {
        ...named,
        response: {
          clientDataJSON: clientDataJSON.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}
