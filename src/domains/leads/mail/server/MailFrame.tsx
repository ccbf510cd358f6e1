import {
  Body,
  Column,
  Container,
  Head,
  Heading,
  Html,
  Link,
  Preview,
  Row,
  Section,
  Text,
} from '@react-email/components'
import type { ReactNode } from 'react'
import type { LeadMailFacts } from './lead-facts.ts'

/** The colours and measures of the product, as mail programs take them: inline, in hex and pixels. */
export const mailColors = {
  text: '#1a2230',
  secondary: '#556072',
  line: '#e3e7ed',
  background: '#f6f7f9',
  accent: '#2a5bd7',
  soft: '#edf2fe',
  star: '#b97a00',
  warn: '#7a5200',
  warnSoft: '#fdf3dc',
} as const
const fontFamily = "Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

/** The sheet that every mail is written on. */
export function MailFrame(props: {
  preview: string
  title: string
  about: string
  reason: string
  children: ReactNode
}) {
  return (
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light" />
        <meta name="format-detection" content="telephone=no, date=no, address=no" />
      </Head>
      <Preview>{props.preview}</Preview>
      <Body
        style={{
          backgroundColor: mailColors.background,
          color: mailColors.text,
          fontFamily: fontFamily,
          margin: 0,
          padding: '24px 0',
        }}
      >
        <Container style={{ maxWidth: 560, width: '100%', padding: '0 12px', boxSizing: 'border-box' }}>
          <Section
            style={{
              backgroundColor: '#ffffff',
              border: `1px solid ${mailColors.line}`,
              borderRadius: 10,
              padding: 24,
            }}
          >
            <Text style={{ ...smallTextStyle, color: mailColors.accent, fontWeight: 600, margin: 0 }}>
              {props.about}
            </Text>
            <Heading as="h1" style={{ fontSize: 22, lineHeight: '28px', margin: '4px 0 20px', fontWeight: 650 }}>
              {props.title}
            </Heading>
            {props.children}
          </Section>
          <Text style={{ ...smallTextStyle, textAlign: 'center', margin: '16px 12px' }}>{props.reason}</Text>
        </Container>
      </Body>
    </Html>
  )
}

export const smallTextStyle = { fontSize: 13, lineHeight: '18px', color: mailColors.secondary } as const

/** Label and value, a line each, then the message as it was written. */
export function MailFacts({ facts }: { facts: LeadMailFacts }) {
  return (
    <>
      <Section style={{ borderTop: `1px solid ${mailColors.line}` }}>
        {facts.listed.map(({ label, value, href }) => (
          <Row key={label} style={{ borderBottom: `1px solid ${mailColors.line}` }}>
            <Column style={{ ...smallTextStyle, width: 92, padding: '9px 12px 9px 0', verticalAlign: 'top' }}>
              {label}
            </Column>
            <Column style={{ fontSize: 15, lineHeight: '20px', padding: '8px 0', wordBreak: 'break-word' }}>
              {href ? (
                <Link href={href} style={{ color: mailColors.accent, textDecoration: 'none' }}>
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
          style={{ marginTop: 16, backgroundColor: mailColors.background, borderRadius: 8, padding: '12px 16px' }}
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

/** The same for the plain part of a mail. */
export const formatFactLines = ({ listed, message }: LeadMailFacts): string[] => [
  ...listed.map(({ label, value }) => `${label}: ${value}`),
  ...(message === null ? [] : ['', ...message.split('\n').map((line) => `> ${line}`)]),
]
