import { Body, Container, Head, Heading, Html, Img, Preview, Section, Text } from '@react-email/components'
import type { ReactNode } from 'react'
import { buildDarkStyles } from './dark-email.ts'
import { type EmailBrand, emailColors } from './email-colors.ts'

const fontFamily = "Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

/** The layout of every email. `about` is shown above the title, `reason` (why the reader gets it) below the sheet. */
export function EmailFrame(props: {
  /** Shown above the sheet, in emails to clients. */
  brand?: EmailBrand
  preview: string
  title: string
  about?: string
  reason: ReactNode
  children: ReactNode
}) {
  return (
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own rules, whose quotes would be escaped */}
        <style dangerouslySetInnerHTML={{ __html: buildDarkStyles(props.brand) }} />
        <meta name="format-detection" content="telephone=no, date=no, address=no" />
      </Head>
      <Preview>{props.preview}</Preview>
      <Body
        style={{
          backgroundColor: emailColors.background,
          color: emailColors.text,
          fontFamily: fontFamily,
          margin: 0,
          padding: '24px 0',
        }}
      >
        <Container
          style={{
            maxWidth: 560,
            width: '100%',
            padding: '0 12px',
            boxSizing: 'border-box',
            wordBreak: 'break-word', // a table is as wide as its longest word otherwise
          }}
        >
          {props.brand && <BrandHead {...props.brand} />}
          <Section
            style={{
              backgroundColor: '#ffffff',
              border: `1px solid ${emailColors.line}`,
              borderRadius: 10,
              padding: 24,
            }}
          >
            {props.about && (
              <Text
                style={{
                  ...smallTextStyle,
                  color: props.brand?.color ?? emailColors.accent,
                  fontWeight: 600,
                  margin: 0,
                }}
              >
                {props.about}
              </Text>
            )}
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

function BrandHead({ name, color, logo }: EmailBrand) {
  return (
    <Section style={{ borderBottom: `3px solid ${color}`, marginBottom: 16, paddingBottom: 8 }}>
      {/* Outlook reads only the attribute. */}
      {logo && (
        <Img src={logo} alt="" height="40" style={{ maxWidth: 240, maxHeight: 40, height: 'auto', marginBottom: 6 }} />
      )}
      <Text style={{ fontSize: 15, lineHeight: '20px', fontWeight: 600, margin: 0 }}>{name}</Text>
    </Section>
  )
}

/** A button in the agency's color. */
export const brandButtonStyle = ({ color }: EmailBrand) => ({ ...emailButtonStyle, backgroundColor: color })

export const smallTextStyle = { fontSize: 13, lineHeight: '18px', color: emailColors.secondary } as const
export const quietLinkStyle = { color: emailColors.secondary, textDecoration: 'underline' } as const
export const emailButtonStyle = {
  backgroundColor: emailColors.accent,
  color: '#ffffff',
  fontSize: 15,
  fontWeight: 600,
  borderRadius: 8,
  padding: '10px 18px',
} as const
