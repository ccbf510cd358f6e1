/** Returns the code of a system's or PostgreSQL's error, or of what caused it; '' where there is none. */
export function getErrorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? getErrorCode(error.cause) : ''
}
