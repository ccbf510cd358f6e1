import { deleteOldAuditEntries } from '#core/audit/delete-old-entries.ts'
import { defineJob } from '#domains/app-context.ts'

const auditRetentionJob = defineJob({
  name: 'audit-retention',
  cron: '25 4 * * *',
  run: async ({ db, settings: { RETAIN_AUDIT_DAYS: days } }) => {
    if (days !== undefined) await deleteOldAuditEntries(db, days)
  },
})

export const auditJobs = [auditRetentionJob]
