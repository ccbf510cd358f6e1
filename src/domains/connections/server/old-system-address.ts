import { validationError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'

/**
 * Returns the address of an old system as it is stored, without a slash or /api at its end. Throws 422 for http outside of the ranges
 * that the operator allows, and for a private address.
 */
export async function checkOldSystemAddress({ outbound }: AppContext, written: string): Promise<string> {
  const url = new URL(written)
  const refuse = (sentence: string) => validationError({ address: [sentence] })
  if (url.search || url.hash) throw refuse('The address must end with the host or a path')
  if (url.protocol === 'http:' && !(await outbound.isInAllowedRange(url)))
    throw refuse('The address must begin with https')
  if (!outbound.couldReach(url)) throw refuse('The address is not on the public web')
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api$/, '')
}
