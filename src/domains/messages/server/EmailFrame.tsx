import { Body, Container, Head, Heading, Html, Img, Preview, Section, Text } from '@react-email/components'
import type { ReactNode } from 'react'

/** The product's colors as mail clients need them: inline, in hex. */
export const emailColors = {
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

/** The agency's branding in emails to clients; `logo` is an absolute URL. White text on `color` can be read, and text in it on white. */
export type EmailBrand = { name: string; color: string; logo: string | null }

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
        <meta name="color-scheme" content="light" />
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
        <Container style={{ maxWidth: 560, width: '100%', padding: '0 12px', boxSizing: 'border-box' }}>
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
      {logo && <Img src={logo} alt="" style={{ maxWidth: 160, maxHeight: 40, marginBottom: 6 }} />}
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
