import { existsSync, readFileSync } from 'node:fs'
import util from 'node:util'

/** Returns the port where the server listens: of the environment, or of the `.env` file, which the server reads too. */
export function findDevPort(environment, file) {
  const written = existsSync(file) ? util.parseEnv(readFileSync(file, 'utf8')) : {}
  return environment.PORT || written.PORT || '3000'
}
