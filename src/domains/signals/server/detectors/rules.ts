import type { SignalDetector } from '../finding.ts'

export const rulesDetector: SignalDetector = {
  kinds: ['rule_hides_good_leads'],
  detect: ({ rules }) =>
    rules.map(({ kind, subject_type, subject_id, subject_label, campaign_id, title, severity, evidence }) => ({
      kind,
      severity,
      subject: { type: subject_type, id: subject_id, label: subject_label },
      campaign_id,
      title,
      evidence: { says: title, ...evidence },
    })),
}
