import { Column, Link, Row, Section, Text } from '@react-email/components'
import type { LeadFacts } from './lead-facts.ts'
import { Facts, factLines, ink, MailFrame, small } from './MailFrame.tsx'
import type { Links } from './rating-links.ts'

type Props = { facts: LeadFacts; links: Links }

const titleOf = ({ type, who }: LeadFacts) => (type === 'Call' ? `New call from ${who}` : `New form from ${who}`)
const reasonOf = ({ campaign }: LeadFacts) => `You get this mail because leads of ${campaign} are sent to you.`

/** A new lead, and one click to say how good it was. */
export function NewLeadMail({ facts, links }: Props) {
  return (
    <MailFrame
      preview={[facts.campaign, facts.phone ?? facts.email, facts.message].filter(Boolean).join(' · ').slice(0, 140)}
      title={titleOf(facts)}
      about={facts.campaign}
      reason={reasonOf(facts)}
    >
      <Facts facts={facts} />
      <Section style={{ marginTop: 28 }}>
        <Text style={{ margin: '0 0 12px', fontSize: 16, fontWeight: 600, textAlign: 'center' }}>
          Did it hit the target?
        </Text>
        <Row style={{ width: 'auto', margin: '0 auto' }}>
          {links.stars.map(({ stars, href }) => (
            <Column key={stars} style={{ padding: '0 2px' }}>
              <Link href={href} aria-label={stars === 1 ? '1 star' : `${stars} stars`} style={starBox}>
                <span style={{ fontSize: 24, lineHeight: '26px', color: ink.star }}>★</span>
                <br />
                <span style={{ ...small, lineHeight: '16px' }}>{stars}</span>
              </Link>
            </Column>
          ))}
        </Row>
        <Text style={{ ...small, margin: '14px 0 0', textAlign: 'center' }}>
          <Link href={links.notLead} style={{ color: ink.secondary, textDecoration: 'underline' }}>
            This is not a lead
          </Link>
          <span style={{ color: ink.line }}>{'  |  '}</span>
          <Link href={links.lead} style={{ color: ink.secondary, textDecoration: 'underline' }}>
            Add notes or a value
          </Link>
        </Text>
        <Trap href={links.trap} />
      </Section>
    </MailFrame>
  )
}

const starBox = {
  display: 'inline-block',
  width: 42,
  padding: '7px 0 8px',
  textAlign: 'center',
  textDecoration: 'none',
  backgroundColor: '#ffffff',
  border: `1px solid ${ink.line}`,
  borderRadius: 8,
} as const

/** Not shown, not read aloud, not reached by the keyboard: only a machine that opens every link opens this one. */
function Trap({ href }: { href: string }) {
  return (
    <div aria-hidden="true" style={{ display: 'none', maxHeight: 0, overflow: 'hidden', fontSize: 0, lineHeight: 0 }}>
      <a href={href} rel="nofollow" tabIndex={-1} style={{ display: 'none', color: '#ffffff' }}>
        {' '}
      </a>
    </div>
  )
}

export const newLeadText = (facts: LeadFacts, links: Links): string =>
  [
    `${titleOf(facts)} · ${facts.campaign}`,
    '',
    ...factLines(facts),
    '',
    'Did it hit the target?',
    ...links.stars.map(({ stars, href }) => `${stars} ${stars === 1 ? 'star: ' : 'stars:'} ${href}`),
    `This is not a lead: ${links.notLead}`,
    `Add notes or a value: ${links.lead}`,
    '',
    reasonOf(facts),
  ].join('\n')
