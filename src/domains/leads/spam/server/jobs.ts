import { defineJob } from '#domains/app-context.ts'
import { reviewRules } from './review-rules.ts'

const ruleReviewJob = defineJob({ name: 'rule-review', cron: '10 4 * * *', run: reviewRules })

export const spamJobs = [ruleReviewJob]
