import { Button, Column, Link, Row, Text } from '@react-email/components'
import { endSentence } from '#contract/end-sentence.ts'
import { toTelUrl } from '#contract/read-phone.ts'
import {
  brandButtonStyle,
  breakLines,
  EmailBox,
  type EmailBrand,
  emailColors,
  smallTextStyle,
} from '#domains/messages/public.ts'
import type { LeadMailFacts } from './lead-facts.ts'
import type { MailLinks } from './rating-links.ts'

/** Shows each label and value on a line, then the message. */
export function MailFacts({ facts, brand }: { facts: LeadMailFacts; brand: EmailBrand }) {
  return (
    <>
      <EmailBox style={{ borderTop: `1px solid ${emailColors.line}` }}>
        {facts.listed.map(({ label, value, href }) => (
          <Row key={label}>
            <Column
              width="92"
              style={{ ...smallTextStyle, ...lineBelow, width: 92, padding: '9px 12px 9px 0', verticalAlign: 'top' }}
            >
              {label}
            </Column>
            <Column style={{ ...lineBelow, fontSize: 15, lineHeight: '20px', padding: '8px 0' }}>
              {href ? (
                <Link href={href} style={{ color: brand.color }}>
                  {value}
                </Link>
              ) : (
                value
              )}
            </Column>
          </Row>
        ))}
      </EmailBox>
      {facts.message === null ? null : (
        <EmailBox style={{ paddingTop: 16 }}>
          <EmailBox style={{ backgroundColor: emailColors.background, borderRadius: 8, padding: '12px 16px' }}>
            <Text style={{ margin: 0, fontSize: 15, lineHeight: '22px' }}>{breakLines(facts.message)}</Text>
          </EmailBox>
        </EmailBox>
      )}
    </>
  )
}

const lineBelow = { borderBottom: `1px solid ${emailColors.line}` }

/** What the reader should know before the facts. */
export const MailNotice = ({ children }: { children: string }) => (
  <EmailBox style={{ paddingBottom: 16 }}>
    <EmailBox style={{ backgroundColor: emailColors.warnSoft, borderRadius: 8, padding: '10px 16px' }}>
      <Text style={{ margin: 0, fontSize: 15, lineHeight: '22px', color: emailColors.warn }}>{children}</Text>
    </EmailBox>
  </EmailBox>
)

type MailActionsProps = { facts: LeadMailFacts; links: MailLinks; brand: EmailBrand; callLabel: string }

/** Buttons to call back and to hear a recorded call, side by side or below each other. */
export function MailActions({ facts, links, brand, callLabel }: MailActionsProps) {
  const dial = toTelUrl(facts.phone)
  const style = { ...brandButtonStyle(brand), margin: 4, border: `1px solid ${brand.color}` }
  if (!facts.isRecorded && dial === null) return null
  return (
    <EmailBox style={{ paddingTop: 20, textAlign: 'center' }}>
      {dial !== null && (
        <Button href={dial} style={style}>
          {callLabel}
        </Button>
      )}{' '}
      {facts.isRecorded && (
        <Button href={links.listen} style={{ ...style, backgroundColor: '#ffffff', color: brand.color }}>
          Listen
        </Button>
      )}
    </EmailBox>
  )
}

export const formatMailReason = ({ campaign }: LeadMailFacts): string =>
  `You get new leads for ${endSentence(campaign)} Change who gets them: reply to this email.`

/** Returns the same as lines for the plain text part. */
export const formatFactLines = ({ listed, message }: LeadMailFacts): string[] => [
  ...listed.map(({ label, value }) => `${label}: ${value}`),
  ...(message === null ? [] : ['', ...message.split('\n').map((line) => `> ${line}`)]),
]

export const formatListenLines = ({ isRecorded }: LeadMailFacts, links: MailLinks): string[] =>
  isRecorded ? ['', `Listen: ${links.listen}`] : []
