import { Body, Column, Container, Head, Heading, Html, Img, Preview, Row, Text } from '@react-email/components'
import { type CSSProperties, Fragment, type ReactNode } from 'react'
import { buildDarkStyles } from './dark-email.ts'
import { type EmailBrand, emailColors } from './email-colors.ts'
import { frameWidth } from './render-html.ts'

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
          padding: '24px 12px',
        }}
      >
        <Container
          className="frame"
          style={{
            maxWidth: frameWidth,
            wordBreak: 'break-word', // a table is as wide as its longest word otherwise
          }}
        >
          {props.brand && <BrandHead {...props.brand} />}
          <EmailBox
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
          </EmailBox>
          <Text style={{ ...smallTextStyle, textAlign: 'center', margin: '16px 12px' }}>{props.reason}</Text>
        </Container>
      </Body>
    </Html>
  )
}

function BrandHead({ name, color, logo }: EmailBrand) {
  return (
    <EmailBox style={{ paddingBottom: 16 }}>
      <EmailBox style={{ borderBottom: `3px solid ${color}`, paddingBottom: 8 }}>
        {/* Outlook reads only the attribute. */}
        {logo && (
          <Img
            src={logo}
            alt=""
            height="40"
            style={{ maxWidth: 240, maxHeight: 40, height: 'auto', marginBottom: 6 }}
          />
        )}
        <Text style={{ fontSize: 15, lineHeight: '20px', fontWeight: 600, margin: 0 }}>{name}</Text>
      </EmailBox>
    </EmailBox>
  )
}

/** A part with space around it, which is that of a cell: Outlook ignores padding and margins of a table, as mailboxes do that collapse borders. */
export function EmailBox({ style, children }: { style: CSSProperties; children: ReactNode }) {
  const { textAlign, backgroundColor } = style
  return (
    <Row>
      <Column
        style={style}
        {...(textAlign === 'center' && { align: 'center' })}
        {...(backgroundColor && { bgcolor: backgroundColor })}
      >
        {children}
      </Column>
    </Row>
  )
}

/** A text with its line breaks as elements: Outlook joins the lines otherwise. */
export const breakLines = (text: string): ReactNode =>
  text.split('\n').map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
    <Fragment key={at}>
      {at > 0 && <br />}
      {line}
    </Fragment>
  ))

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
