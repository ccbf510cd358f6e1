/** Returns the code of a system or PostgreSQL error, or of its cause; '' if there is none. */
export function getErrorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? getErrorCode(error.cause) : ''
}
