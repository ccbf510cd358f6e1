import { Button, Column, Img, Link, Row, Text } from '@react-email/components'
import { formatDaySpan, formatLongDay } from '#contract/days.ts'
import {
  brandButtonStyle,
  EmailBox,
  type EmailBrand,
  EmailFrame,
  emailColors,
  quietLinkStyle,
  renderHtml,
  smallTextStyle,
} from '#domains/messages/public.ts'
import type { ReportNumbers } from '../contract.ts'

type ReportEmailProps = {
  report: ReportNumbers
  agency: EmailBrand
  /** The page of the report; null in a preview. */
  pageUrl: string | null
  unsubscribeUrl: string | null
}

/** Renders the email of a report: its sentence, a picture of the weeks, and a button to the rest. */
export async function renderReportEmail(
  email: ReportEmailProps,
): Promise<{ subject: string; html: string; text: string }> {
  return {
    subject: `Your leads, ${formatDaySpan(email.report)} · ${email.agency.name}`,
    html: await renderHtml(<ReportEmail {...email} />),
    text: formatReportText(email),
  }
}

function ReportEmail({ report, agency, pageUrl, unsubscribeUrl }: ReportEmailProps) {
  return (
    <EmailFrame
      preview={report.says}
      title={`Your leads, ${formatDaySpan(report)}`}
      brand={agency}
      reason={formatReason(agency.name)}
    >
      <Text style={{ fontSize: 17, lineHeight: '25px', margin: '0 0 16px' }}>{report.says}</Text>
      {hasWeeksPicture(report) && <Weeks weeks={report.weeks} />}
      {pageUrl && (
        <EmailBox style={{ paddingTop: 20, textAlign: 'center' }}>
          <Button href={pageUrl} style={brandButtonStyle(agency)}>
            Open the report
          </Button>
        </EmailBox>
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

/** One week has nothing beside it to compare. */
export const hasWeeksPicture = ({ weeks, verified }: ReportNumbers) => weeks.length > 1 && verified > 0
/** The picture is a part of the email, so that opening it is not reported. */
export const weeksPictureId = 'weeks'

/** The picture of the weeks with each number below its bar. */
function Weeks({ weeks }: Pick<ReportNumbers, 'weeks'>) {
  const share = `${100 / weeks.length}%`
  return (
    <>
      {/* Outlook reads only the attribute, in pixels. */}
      <Img src={`cid:${weeksPictureId}`} alt="" width="510" style={{ width: '100%', height: 'auto' }} />
      <Row style={{ tableLayout: 'fixed' }}>
        {weeks.map(({ from, verified }) => (
          <Column
            key={from}
            width={share}
            align="center"
            style={{ ...smallTextStyle, fontSize: 11, textAlign: 'center' }}
          >
            <b style={{ fontSize: 14, color: emailColors.text }}>{verified}</b>
            <br />
            {formatLongDay(from).replace(/,.*/, '')}
          </Column>
        ))}
      </Row>
      <Text style={{ ...smallTextStyle, margin: '4px 0 0', textAlign: 'center' }}>Verified leads by week</Text>
    </>
  )
}

const formatReason = (agency: string) =>
  `You get this email because ${agency} sends you reports about your leads. To get them on other days or at another address, reply to this email.`

const formatReportText = ({ report, agency, pageUrl, unsubscribeUrl }: ReportEmailProps): string =>
  [
    `Your leads, ${formatDaySpan(report)} · ${agency.name}`,
    '',
    report.says,
    '',
    ...(hasWeeksPicture(report)
      ? ['Verified leads by week', ...report.weeks.map((week) => `${formatDaySpan(week)}: ${week.verified}`), '']
      : []),
    ...report.missed_calls.slice(0, 10).map(({ when, phone }) => `Missed call, ${when}: ${phone ?? 'no number'}`),
    '',
    ...(pageUrl ? [`Open the report: ${pageUrl}`] : []),
    formatReason(agency.name),
    ...(unsubscribeUrl ? [`Unsubscribe: ${unsubscribeUrl}`] : []),
  ].join('\n')
