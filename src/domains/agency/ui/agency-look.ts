import { buildColorProperties } from '../colors.ts'

/**
 * Returns attributes for the root element of a page or document for clients. Inside, `--agency` is the agency's color and `--on-agency`
 * the text on it, both readable in either theme and on paper (AgencyHead.module.css).
 */
export const getAgencyLook = ({ color }: { color: string }) => ({
  'data-agency': true,
  style: buildColorProperties(color),
})
