import { QRCodeSVG } from 'qrcode.react'

/** What an authenticator app scans. Black on white in dark colors too: scanners expect it. */
export default function SetupQrCode({ uri }: { uri: string }) {
  return <QRCodeSVG value={uri} size={176} marginSize={4} title="QR code for the authenticator app" />
}
