import { Button, Column, Row, Text } from '@react-email/components'
import { formatDaySpan, formatLongDay } from '#contract/days.ts'
import { formatMoney } from '#contract/money.ts'
import {
  brandButtonStyle,
  EmailBox,
  type EmailBrand,
  EmailFrame,
  emailColors,
  renderHtml,
} from '#domains/messages/public.ts'
import type { StatementDocument } from '../contract.ts'
import { describeGroup, getTotalLabel } from '../document-text.ts'

type StatementEmailProps = { document: StatementDocument; brand: EmailBrand; pageUrl: string }

/** Renders the email of a statement: what is due and when, what it is made of, and a link to the lines. */
export async function renderStatementEmail(
  email: StatementEmailProps,
): Promise<{ subject: string; html: string; text: string }> {
  const { document, brand } = email
  return {
    subject: `Statement ${document.number} · ${document.campaign} · ${brand.name}`,
    html: await renderHtml(<StatementEmail {...email} />),
    text: formatStatementText(email),
  }
}

function StatementEmail({ document, brand, pageUrl }: StatementEmailProps) {
  return (
    <EmailFrame
      brand={brand}
      preview={formatSummary(document)}
      title={`Statement ${document.number}`}
      reason={formatReason(document)}
    >
      <Text style={{ fontSize: 15, lineHeight: '22px', margin: '0 0 12px' }}>{formatSummary(document)}</Text>
      <EmailBox style={{ borderTop: `1px solid ${emailColors.line}` }}>
        {listAmounts(document).map(({ label, value }) => (
          <Row key={label}>
            <Column style={amountCell}>{label}</Column>
            <Column align="right" style={{ ...amountCell, textAlign: 'right', fontWeight: 600, whiteSpace: 'nowrap' }}>
              {value}
            </Column>
          </Row>
        ))}
      </EmailBox>
      <EmailBox style={{ paddingTop: 20, textAlign: 'center' }}>
        <Button href={pageUrl} style={brandButtonStyle(brand)}>
          Open the statement
        </Button>
      </EmailBox>
    </EmailFrame>
  )
}

const amountCell = { fontSize: 15, padding: '8px 0', borderBottom: `1px solid ${emailColors.line}` }

const formatReason = ({ client, agency }: StatementDocument) =>
  `You get this email because ${agency.name} sends the statements of ${client.name} to this address. To change that, reply to it.`

function formatSummary(document: StatementDocument): string {
  const { client, campaign, due_on, state, total } = document
  const amount = `${formatMoney(total)} for ${campaign}, ${formatDaySpan(document)}`
  const due = state === 'paid' ? ', paid' : due_on ? `, due ${formatLongDay(due_on)}` : ''
  return `${client.name}: ${amount}${due}.`
}

const listAmounts = (document: StatementDocument) => [
  ...document.groups
    .filter(({ kind }) => kind !== 'not_billed')
    .map((group) => ({ label: describeGroup(group), value: formatMoney(group.amount) })),
  { label: getTotalLabel(document), value: formatMoney(document.total) },
]

const formatStatementText = ({ document, brand, pageUrl }: StatementEmailProps): string =>
  [
    `Statement ${document.number} · ${brand.name}`,
    '',
    formatSummary(document),
    '',
    ...listAmounts(document).map(({ label, value }) => `${label}: ${value}`),
    '',
    `Open the statement: ${pageUrl}`,
    '',
    formatReason(document),
  ].join('\n')
