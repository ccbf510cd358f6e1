import { validationError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { CallRailError, listAccounts, type SeenAccounts } from '#integrations/callrail/api.ts'
import { describeFailure } from './describe-failure.ts'

type AccountForm = { account_id?: string | null | undefined; api_key: string }

/** Returns the account of a new connection: the one that was named, else the only one that the key sees. Throws 422 for none or several. */
export async function chooseCallRailAccount(context: AppContext, { account_id, api_key }: AccountForm) {
  if (account_id) return { id: account_id, name: account_id }
  const seen = await listKeyAccounts(context, api_key)
  const [only] = seen.accounts
  const count = seen.accounts.length + seen.withoutId
  if (!only) throw validationError({ account_id: ['This key sees no account'] })
  if (count > 1)
    throw validationError({ account_id: [`This key sees ${count} accounts: ${nameAccounts(seen)}. Choose one`] })
  return only
}

async function listKeyAccounts({ settings }: AppContext, apiKey: string) {
  try {
    return await listAccounts({ apiUrl: settings.CALLRAIL_API_URL, apiKey })
  } catch (error) {
    const { says } = describeFailure(error)
    if (error instanceof CallRailError && error.kind === 'refused') throw validationError({ api_key: [says] })
    throw validationError({ account_id: [`${says}. Input the account’s ID, or try again later`] })
  }
}

export const nameAccounts = ({ accounts, withoutId }: SeenAccounts) =>
  [...accounts.map(({ id, name }) => `${name} (${id})`), ...(withoutId > 0 ? [`${withoutId} without an ID`] : [])].join(
    ', ',
  )
