import { Button, Link, Section, Text } from '@react-email/components'
import { type LeadFacts, telephone } from './lead-facts.ts'
import { Facts, factLines, ink, MailFrame, small } from './MailFrame.tsx'
import type { Links } from './rating-links.ts'

type Props = { facts: LeadFacts; links: Links }

const advice = 'Nobody took this call. Whoever calls back first usually gets the job.'
const reasonOf = ({ campaign }: LeadFacts) => `You get this mail because leads of ${campaign} are sent to you.`

/** A call that nobody took, and how to call back. */
export function MissedCallMail({ facts, links }: Props) {
  const dial = telephone(facts.phone)
  return (
    <MailFrame
      preview={[facts.campaign, facts.phone, advice].filter(Boolean).join(' · ')}
      title={`Missed call from ${facts.who}`}
      about={facts.campaign}
      reason={reasonOf(facts)}
    >
      <Section style={{ backgroundColor: ink.warnSoft, borderRadius: 8, padding: '10px 16px', margin: '0 0 16px' }}>
        <Text style={{ margin: 0, fontSize: 15, lineHeight: '22px', color: ink.warn }}>{advice}</Text>
      </Section>
      <Facts facts={facts} />
      <Section style={{ marginTop: 24, textAlign: 'center' }}>
        {dial === null ? null : (
          <Button href={dial} style={callButton}>
            Call {facts.phone}
          </Button>
        )}
        <Text style={{ ...small, margin: '14px 0 0' }}>
          <Link href={links.lead} style={{ color: ink.secondary, textDecoration: 'underline' }}>
            Tell us how it went
          </Link>
        </Text>
      </Section>
    </MailFrame>
  )
}

const callButton = {
  backgroundColor: ink.accent,
  color: '#ffffff',
  borderRadius: 8,
  padding: '12px 22px',
  fontSize: 16,
  fontWeight: 600,
  textDecoration: 'none',
} as const

export const missedCallText = (facts: LeadFacts, links: Links): string =>
  [
    `Missed call from ${facts.who} · ${facts.campaign}`,
    '',
    advice,
    '',
    ...factLines(facts),
    '',
    `Tell us how it went: ${links.lead}`,
    '',
    reasonOf(facts),
  ].join('\n')
