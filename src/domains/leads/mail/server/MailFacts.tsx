import { Column, Link, Row, Section, Text } from '@react-email/components'
import { emailColors, smallTextStyle } from '#domains/messages/public.ts'
import type { LeadMailFacts } from './lead-facts.ts'

/** Shows each label and value on a line, then the message. */
export function MailFacts({ facts }: { facts: LeadMailFacts }) {
  return (
    <>
      <Section style={{ borderTop: `1px solid ${emailColors.line}` }}>
        {facts.listed.map(({ label, value, href }) => (
          <Row key={label} style={{ borderBottom: `1px solid ${emailColors.line}` }}>
            <Column style={{ ...smallTextStyle, width: 92, padding: '9px 12px 9px 0', verticalAlign: 'top' }}>
              {label}
            </Column>
            <Column style={{ fontSize: 15, lineHeight: '20px', padding: '8px 0', wordBreak: 'break-word' }}>
              {href ? (
                <Link href={href} style={{ color: emailColors.accent, textDecoration: 'none' }}>
                  {value}
                </Link>
              ) : (
                value
              )}
            </Column>
          </Row>
        ))}
      </Section>
      {facts.message === null ? null : (
        <Section
          style={{ marginTop: 16, backgroundColor: emailColors.background, borderRadius: 8, padding: '12px 16px' }}
        >
          <Text
            style={{ margin: 0, fontSize: 15, lineHeight: '22px', whiteSpace: 'pre-wrap', wordBreak: 'break-word' }}
          >
            {facts.message}
          </Text>
        </Section>
      )}
    </>
  )
}

/** Returns the same as lines for the plain text part. */
export const formatMailReason = ({ campaign }: LeadMailFacts): string =>
  `You are receiving this email because leads of ${campaign} are sent to you.`

export const formatFactLines = ({ listed, message }: LeadMailFacts): string[] => [
  ...listed.map(({ label, value }) => `${label}: ${value}`),
  ...(message === null ? [] : ['', ...message.split('\n').map((line) => `> ${line}`)]),
]
