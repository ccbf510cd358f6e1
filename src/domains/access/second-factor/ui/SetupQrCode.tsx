import { QRCodeSVG } from 'qrcode.react'

/** The code that an authenticator app scans. Black on white in dark mode too, as scanners expect. */
export default function SetupQrCode({ uri }: { uri: string }) {
  return <QRCodeSVG value={uri} size={176} marginSize={4} title="QR code for the authenticator app" />
}
