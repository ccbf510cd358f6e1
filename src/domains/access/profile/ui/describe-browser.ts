// Order matters: the user agents of Edge and Opera contain Chrome, and Chrome's contains Safari.
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Returns a user agent in words that people know: `Chrome on Windows`. */
export function describeBrowser(userAgent: string | null): string {
  const find = (names: readonly (readonly [string, string])[]) => names.find(([mark]) => userAgent?.includes(mark))?.[1]
  const [browser, system] = [find(browsers), find(systems)]
  if (!browser && !system) return 'Unknown browser'
  return system ? `${browser ?? 'A browser'} on ${system}` : (browser ?? 'Unknown browser')
}
