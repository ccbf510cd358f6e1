import { defineJob } from '#domains/app-context.ts'
import { mailStatementJob } from './mail-statement.ts'
import { numberSentStatements } from './statement-numbers.ts'

/** Numbers what an earlier version sent, also while it still runs beside this one. */
const numberStatementsJob = defineJob({
  name: 'number-statements',
  cron: '* * * * *',
  run: ({ db, settings }) => db.transaction((tx) => numberSentStatements(tx, settings.AGENCY_TIMEZONE)),
})

export const statementJobs = [mailStatementJob, numberStatementsJob]
