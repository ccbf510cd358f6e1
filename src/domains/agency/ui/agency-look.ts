import type { CSSProperties } from 'react'
import { computeAgencyColors } from '../colors.ts'

/**
 * Returns attributes for the root element of a page or document for clients. Inside, `--agency` is the agency's color and `--on-agency`
 * the text on it, both readable in either theme and on paper (AgencyHead.module.css).
 */
export function getAgencyLook({ color }: { color: string }) {
  const { onLight, onDark } = computeAgencyColors(color)
  const style = { '--agency-light': onLight, '--agency-dark': onDark } as CSSProperties // custom properties
  return { 'data-agency': true, style }
}
