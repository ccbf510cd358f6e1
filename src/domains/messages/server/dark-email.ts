import { computeAgencyColors } from '#domains/agency/public.ts'
import { type EmailBrand, emailColors } from './email-colors.ts'

/** What each color of an email becomes in dark mode. */
const darkTexts: Record<string, string> = {
  [emailColors.text]: '#e8ebf0',
  [emailColors.secondary]: '#a6b0c0',
  [emailColors.accent]: computeAgencyColors(emailColors.accent).onDark,
  [emailColors.warn]: '#f0c674',
  [emailColors.star]: '#f0b429',
}
const darkGrounds: Record<string, string> = {
  '#ffffff': '#1a1f29',
  [emailColors.background]: '#12161d',
  [emailColors.soft]: '#232b3a',
  [emailColors.warnSoft]: '#3a2f14',
}
const darkLine = '#333c4b'

/**
 * Returns the styles of an email in dark mode, for mailboxes that ask for them. Those that invert colors by themselves do without. The
 * colors stand in the elements, because many mailboxes read only those, so each rule finds them there.
 */
export function buildDarkStyles(brand: EmailBrand | undefined): string {
  const texts = { ...darkTexts, ...(brand && { [brand.color]: computeAgencyColors(brand.color).onDark }) }
  const rules = [
    ...Object.entries(texts).map(
      ([color, dark]) => `[style^="color:${color}"],[style*=";color:${color}"]{color:${dark}!important}`,
    ),
    ...Object.entries(darkGrounds).map(
      ([color, dark]) => `[style*="background-color:${color}"]{background-color:${dark}!important}`,
    ),
    `[style*="solid ${emailColors.line}"]{border-color:${darkLine}!important}`,
    'img{background-color:#ffffff!important;border-radius:4px}', // a logo is made for white paper
  ]
  return `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${rules.join('')}}`
}
