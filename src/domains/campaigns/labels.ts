/** How a campaign is doing, in the order of the select: what is stored, and what staff call it. */
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

/** What a campaign's form asks, and a file may say. */
export const campaignFieldTitles = {
  name: 'Name',
  categories: 'Categories',
  client_id: 'Client',
  client_sites: 'Client Sites',
  manager: 'Manager',
  start_date: 'Start Date',
  due_date: 'Due Date',
  initial_target: 'Initial Target',
  month_3_target: '3 Month Target',
  month_6_target: '6 Month Target',
  month_9_target: '9 Month Target',
  month_12_target: '12 Month Target',
  service_fee: 'Service Fee',
  approved_ppc: 'Approved PPC',
  fixed_to_top: 'Sticky in changelog',
} as const

/** What the columns of the list and of its file are called. */
export const campaignColumnTitles = {
  ...campaignFieldTitles,
  id: 'NM ID',
  categories: 'Category',
  client: 'Client',
  current_target: 'Current Month Target',
  ppc: 'PPC %',
  net: 'Net',
  gmbs_count: 'GMBs count',
} as const
