/** How a campaign is doing, in the order of the select: the stored value and its label. */
export const troubleStates = [
  { value: 10, label: 'Troubled' },
  { value: 3, label: 'Monitor' },
  { value: 2, label: 'No issues' },
  { value: 4, label: 'Pre-Launch' },
  { value: 1, label: 'Other' },
  { value: 5, label: 'Cancelled' },
] as const
export type TroubleState = (typeof troubleStates)[number]['value']
export const getTroubleStateLabel = (state: number) => troubleStates.find(({ value }) => value === state)?.label
