import { getErrorMessage } from '#contract/error-message.ts'
import { getErrorCode } from '../error-code.ts'
import { InvalidSettingsError } from '../settings/settings.ts'
import { HttpError, isDatabaseUnavailable } from './errors.ts'

/** Returns in lines what the operator can mend: a setting, the database, what a command was asked for. Null for any other error. */
export function describeOperatorError(error: unknown): string[] | null {
  if (error instanceof InvalidSettingsError) return error.lines.map((line) => `Setting ${line}`)
  if (error instanceof HttpError)
    return [
      Object.values(error.errors ?? { '': [error.message] })
        .flat()
        .join('. '),
    ]
  const code = getErrorCode(error)
  if (isDatabaseUnavailable(error) || unknownHostCodes.includes(code))
    return ['The database does not respond; is DATABASE_URL correct?']
  if (refusalCodes.includes(code)) return [`The database refuses: ${getErrorMessage(error)}; is DATABASE_URL correct?`]
  return null
}

const unknownHostCodes = ['ENOTFOUND', 'EAI_AGAIN']
/** PostgreSQL's: no such user, a wrong password, no such database. */
const refusalCodes = ['28000', '28P01', '3D000']
