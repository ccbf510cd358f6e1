/** An estimate, and the range that it is in 8 times out of 10. */
export type LostLeads = { low: number; mid: number; high: number }
const round = (count: number) => Math.round(count).toLocaleString('en-US')

/** `about 14 leads lost`, in whole leads. */
export function describeLostLeads({ mid, high }: LostLeads): string {
  if (high < 1 || mid < 0.5) return 'under 1 lead lost'
  return `about ${round(mid)} ${Math.round(mid) === 1 ? 'lead' : 'leads'} lost`
}

/** `About 14 leads lost (range 8–20)`. */
export function describeLostRange(lost: LostLeads): string {
  const text = describeLostLeads(lost)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} (range ${round(lost.low)}–${round(Math.max(lost.high, 1))})`
}
