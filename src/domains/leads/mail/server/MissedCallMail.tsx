import { Link, Text } from '@react-email/components'
import { EmailBox, type EmailBrand, EmailFrame, quietLinkStyle, smallTextStyle } from '#domains/messages/public.ts'
import type { LeadMailFacts } from './lead-facts.ts'
import {
  formatFactLines,
  formatListenLines,
  formatMailReason,
  MailActions,
  MailFacts,
  MailNotice,
} from './MailFacts.tsx'
import type { MailLinks } from './rating-links.ts'

type MissedCallMailProps = { facts: LeadMailFacts; links: MailLinks; brand: EmailBrand }

const callBackAdvice = 'No one answered this call. The first to call back usually gets the job.'

/** A missed call, and how to call back. */
export function MissedCallMail({ facts, links, brand }: MissedCallMailProps) {
  return (
    <EmailFrame
      brand={brand}
      preview={[facts.campaign, facts.phone, callBackAdvice].filter(Boolean).join(' · ')}
      title={`Missed call from ${facts.who}`}
      about={facts.campaign}
      reason={formatMailReason(facts)}
    >
      <MailNotice>{callBackAdvice}</MailNotice>
      <MailFacts facts={facts} brand={brand} />
      <MailActions facts={facts} links={links} brand={brand} callLabel={`Call ${facts.phone}`} />
      <EmailBox style={{ textAlign: 'center' }}>
        <Text style={{ ...smallTextStyle, margin: '14px 0 0' }}>
          <Link href={links.lead} style={quietLinkStyle}>
            Tell us how it went
          </Link>
        </Text>
      </EmailBox>
    </EmailFrame>
  )
}

export const buildMissedCallText = ({ facts, links, brand }: MissedCallMailProps): string =>
  [
    `Missed call from ${facts.who} · ${facts.campaign}`,
    '',
    callBackAdvice,
    '',
    ...formatFactLines(facts),
    ...formatListenLines(facts, links),
    '',
    `Tell us how it went: ${links.lead}`,
    '',
    formatMailReason(facts),
    brand.name,
  ].join('\n')
