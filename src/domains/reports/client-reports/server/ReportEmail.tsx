import { Button, Column, Link, Row, Section, Text } from '@react-email/components'
import { formatBriefMoney } from '#contract/money.ts'
import {
  brandButtonStyle,
  type EmailBrand,
  EmailFrame,
  emailColors,
  quietLinkStyle,
  renderHtml,
  smallTextStyle,
} from '#domains/messages/public.ts'
import type { ReportNumbers } from '../contract.ts'
import { formatReportSpan } from '../labels.ts'

type ReportEmailProps = {
  report: ReportNumbers
  agency: EmailBrand
  /** The page of the report; null in a preview. */
  pageUrl: string | null
  unsubscribeUrl: string | null
}

/** Renders the email of a report: its figures, and a link to the rest. */
export async function renderReportEmail(
  email: ReportEmailProps,
): Promise<{ subject: string; html: string; text: string }> {
  return {
    subject: `Your leads, ${formatReportSpan(email.report)} · ${email.agency.name}`,
    html: await renderHtml(<ReportEmail {...email} />),
    text: formatReportText(email),
  }
}

function ReportEmail({ report, agency, pageUrl, unsubscribeUrl }: ReportEmailProps) {
  return (
    <EmailFrame
      preview={formatSummary(report)}
      title={`Your leads, ${formatReportSpan(report)}`}
      brand={agency}
      reason={formatReason(agency.name)}
    >
      <Text style={{ fontSize: 15, lineHeight: '22px', margin: '0 0 12px' }}>{formatSummary(report)}</Text>
      <Section style={{ borderTop: `1px solid ${emailColors.line}` }}>
        {listFigures(report).map(({ label, value }) => (
          <Row key={label} style={{ borderBottom: `1px solid ${emailColors.line}` }}>
            <Column style={{ fontSize: 15, padding: '8px 0' }}>{label}</Column>
            <Column style={{ fontSize: 15, padding: '8px 0', textAlign: 'right', fontWeight: 600 }}>{value}</Column>
          </Row>
        ))}
      </Section>
      {pageUrl && (
        <Section style={{ marginTop: 20, textAlign: 'center' }}>
          <Button href={pageUrl} style={brandButtonStyle(agency)}>
            Open the report
          </Button>
        </Section>
      )}
      {unsubscribeUrl && (
        <Text style={{ ...smallTextStyle, margin: '20px 0 0', textAlign: 'center' }}>
          <Link href={unsubscribeUrl} style={quietLinkStyle}>
            Unsubscribe from these reports
          </Link>
        </Text>
      )}
    </EmailFrame>
  )
}

const formatReason = (agency: string) => `You get this email because ${agency} sends you reports about your leads.`

function formatSummary({ verified, target }: ReportNumbers): string {
  if (verified === 0) return 'There were no verified leads in this period.'
  const leads = verified === 1 ? '1 verified lead' : `${verified} verified leads`
  return target > 0 ? `${leads} against a target of ${target}.` : `${leads}.`
}

const listFigures = (report: ReportNumbers): { label: string; value: string }[] => [
  { label: 'Verified leads', value: String(report.verified) },
  ...(report.target > 0 ? [{ label: 'Target', value: String(report.target) }] : []),
  ...report.sources.map(({ source, verified }) => ({ label: `From ${source}`, value: String(verified) })),
  { label: 'Missed calls', value: String(report.missed) },
  { label: 'Missed in working hours', value: String(report.missed_calls.length) },
  { label: 'Won', value: `${report.won} (${formatBriefMoney(report.won_value)})` },
]

const formatReportText = ({ report, agency, pageUrl, unsubscribeUrl }: ReportEmailProps): string =>
  [
    `Your leads, ${formatReportSpan(report)} · ${agency.name}`,
    '',
    formatSummary(report),
    '',
    ...listFigures(report).map(({ label, value }) => `${label}: ${value}`),
    ...report.missed_calls.slice(0, 10).map(({ when, phone }) => `Missed call, ${when}: ${phone ?? 'no number'}`),
    '',
    ...(pageUrl ? [`Open the report: ${pageUrl}`] : []),
    formatReason(agency.name),
    ...(unsubscribeUrl ? [`Unsubscribe: ${unsubscribeUrl}`] : []),
  ].join('\n')
