/** The product's colors as mail clients need them: inline, in hex. */
export const emailColors = {
  text: '#1a2230',
  secondary: '#556072',
  line: '#e3e7ed',
  background: '#f6f7f9',
  accent: '#2a5bd7',
  soft: '#edf2fe',
  star: '#b97a00',
  warn: '#7a5200',
  warnSoft: '#fdf3dc',
} as const
/** The agency's branding in emails to clients; `logo` is an absolute URL. White text on `color` can be read, and text in it on white. */
export type EmailBrand = { name: string; color: string; logo: string | null }
