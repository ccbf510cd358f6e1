import { Column, Link, Row, Text } from '@react-email/components'
import { cutText } from '#contract/cut-text.ts'
import {
  EmailBox,
  type EmailBrand,
  EmailFrame,
  emailColors,
  quietLinkStyle,
  smallTextStyle,
} from '#domains/messages/public.ts'
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

type NewLeadMailProps = { facts: LeadMailFacts; links: MailLinks; brand: EmailBrand; isTest?: boolean }

const ratingQuestion = 'Was this a good lead?'
const notLeadQuestion = 'Not a real lead?'

const testNotice =
  'This is a test of the email that each new lead brings. It is not a lead, and its links save nothing.'

const formatMailTitle = ({ facts: { type, who }, isTest }: NewLeadMailProps) =>
  `${isTest ? 'Test: ' : ''}New ${type === 'Call' ? 'call' : 'form'} from ${who}`

/** A new lead with one-click rating links. */
export function NewLeadMail(props: NewLeadMailProps) {
  const { facts, links, brand, isTest } = props
  return (
    <EmailFrame
      brand={brand}
      preview={cutText([facts.campaign, facts.phone ?? facts.email, facts.message].filter(Boolean).join(' · '), 140)}
      title={formatMailTitle(props)}
      about={facts.campaign}
      reason={formatMailReason(facts)}
    >
      {isTest && <MailNotice>{testNotice}</MailNotice>}
      <MailFacts facts={facts} brand={brand} />
      <MailActions facts={facts} links={links} brand={brand} callLabel="Call back" />
      <EmailBox style={{ paddingTop: 28 }}>
        <Text style={{ margin: '0 0 12px', fontSize: 16, fontWeight: 600, textAlign: 'center' }}>{ratingQuestion}</Text>
        <Row width="auto" style={{ width: 'auto', margin: '0 auto' }}>
          <Column style={{ ...smallTextStyle, ...endOfScale, padding: '0 6px 0 0' }}>Poor</Column>
          {links.stars.map(({ stars, href }) => (
            <Column key={stars} width="40" align="center" style={{ padding: '0 2px' }}>
              <Link href={href} aria-label={stars === 1 ? '1 star' : `${stars} stars`} style={starBoxStyle}>
                <span style={{ fontSize: 24, lineHeight: '26px', color: emailColors.star }}>★</span>
                <br />
                <span style={{ ...smallTextStyle, lineHeight: '16px' }}>{stars}</span>
              </Link>
            </Column>
          ))}
          <Column style={{ ...smallTextStyle, ...endOfScale, padding: '0 0 0 6px' }}>Great</Column>
        </Row>
        <Text style={{ ...smallTextStyle, margin: '14px 0 0', textAlign: 'center' }}>
          <Link href={links.notLead} style={quietLinkStyle}>
            {notLeadQuestion}
          </Link>
          <span style={{ color: emailColors.line }}>{'  |  '}</span>
          <Link href={links.lead} style={quietLinkStyle}>
            Add notes or a value
          </Link>
        </Text>
        <ScannerTrap href={links.trap} />
      </EmailBox>
    </EmailFrame>
  )
}

const endOfScale = { whiteSpace: 'nowrap' } as const
const starBoxStyle = {
  color: emailColors.text,
  display: 'inline-block',
  width: 38,
  padding: '7px 0 8px',
  textAlign: 'center',
  textDecoration: 'none',
  backgroundColor: '#ffffff',
  border: `1px solid ${emailColors.line}`,
  borderRadius: 8,
} as const

/** A link that is invisible, silent and not focusable: only a scanner that opens every link opens it. */
function ScannerTrap({ href }: { href: string }) {
  return (
    <div aria-hidden="true" style={{ display: 'none', maxHeight: 0, overflow: 'hidden', fontSize: 0, lineHeight: 0 }}>
      <a href={href} rel="nofollow" tabIndex={-1} style={{ display: 'none', color: '#ffffff' }}>
        {' '}
      </a>
    </div>
  )
}

export function buildNewLeadText(props: NewLeadMailProps): string {
  const { facts, links, brand, isTest } = props
  return [
    `${formatMailTitle(props)} · ${facts.campaign}`,
    '',
    ...(isTest ? [testNotice, ''] : []),
    ...formatFactLines(facts),
    ...formatListenLines(facts, links),
    '',
    `${ratingQuestion} 1 is poor, 5 is great.`,
    ...links.stars.map(({ stars, href }) => `${stars} ${stars === 1 ? 'star: ' : 'stars:'} ${href}`),
    `${notLeadQuestion} ${links.notLead}`,
    `Add notes or a value: ${links.lead}`,
    '',
    formatMailReason(facts),
    brand.name,
  ].join('\n')
}
