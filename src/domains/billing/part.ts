import type { ServerPart } from '#domains/server-part.ts'
import { disputesHandlers } from './disputes/server/handlers.ts'
import { billingPersonalData } from './personal-data/server/personal-data.ts'
import { statementsHandlers } from './statements/server/handlers.ts'

export const billingPart: ServerPart = {
  handlers: [...statementsHandlers, ...disputesHandlers],
  tables: ['statements', 'disputes'],
  personalData: billingPersonalData,
  withoutPeople: { 'Businesses that are clients, and what is agreed with them': ['statements'] },
}
