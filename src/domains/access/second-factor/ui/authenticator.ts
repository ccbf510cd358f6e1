import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { callApi } from '#ui/data/api.ts'
import { appConfig } from '#ui/data/environment.ts'
import { type SentCredential, secondFactorContract, secondStepContract } from '../contract.ts'

/** Loaded when a passkey is first used. */
const loadLibrary = () => import('@simplewebauthn/browser')

/** Returns why there can be no passkeys here; null if there can. */
export function whyNoPasskeys(): string | null {
  if (/^(\[|[\d.]+$)/.test(location.hostname))
    return 'Browsers take passkeys at a host name only, not at an IP address.'
  return typeof window.PublicKeyCredential === 'function' ? null : 'This browser has no passkeys.'
}

export const hasPasskeys = () => whyNoPasskeys() === null

/** Has the browser sign with a passkey: of the challenge's account, of the signed-in user, or of any account. */
export async function signWithPasskey(challenge?: string): Promise<SentCredential> {
  const [{ startAuthentication }, options] = await Promise.all([
    loadLibrary(),
    callApi(secondStepContract.passkeyLoginOptions, { body: challenge === undefined ? {} : { challenge } }),
  ])
  // The server made the options with the other half of the library.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return toSent(await startAuthentication({ optionsJSON }).catch(throwInWords))
}

/** Has the browser create a passkey. */
export async function createPasskey(): Promise<SentCredential> {
  const [{ startRegistration }, options] = await Promise.all([
    loadLibrary(),
    callApi(secondFactorContract.passkeyOptions),
  ])
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON // as above
  return toSent(await startRegistration({ optionsJSON }).catch(throwInWords))
}

const toSent = (credential: object) => credential as SentCredential // every credential has what the schema requires

function throwInWords(problem: unknown): never {
  const name = problem instanceof Error ? problem.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') throw new Error('The passkey was not used')
  if (name === 'SecurityError')
    throw new Error(
      `Passkeys do not work at this address. Open ${appConfig.agencyName} at the one that its emails link to.`,
    )
  if (name === 'InvalidStateError') throw new Error('This device has a passkey for you already')
  throw problem
}
