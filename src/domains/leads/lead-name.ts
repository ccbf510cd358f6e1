import { formatPhone } from '#contract/read-phone.ts'

type NamedLead = { id: number; lead_name: string | null; lead_phone: string | null; lead_email: string | null }
/** Returns what a lead is called: its name, else its phone, its email or its number. */
export const getLeadName = ({ id, lead_name, lead_phone, lead_email }: NamedLead): string =>
  lead_name ?? (lead_phone === null ? (lead_email ?? `No. ${id}`) : formatPhone(lead_phone))
