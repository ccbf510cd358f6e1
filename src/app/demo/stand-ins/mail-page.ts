import { createServer } from 'node:http'
import { escapeHtml } from '#integrations/fakes/escape-html.ts'
import { startListening, stopListening } from '#integrations/fakes/local-server.ts'
import type { ReceivedEmail } from '#integrations/fakes/smtp.ts'

const maxListedMails = 200

/** Serves a page of the caught mails, newest first, so that their links can be tried. Listens on this machine only. */
export async function startMailPage(letters: ReceivedEmail[]): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const [, number] = /^\/letters\/(\d+)$/.exec(request.url ?? '') ?? []
    const letter = number === undefined ? undefined : letters[Number(number)]
    const isList = request.url === '/'
    response.writeHead(isList || letter ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // A mail quotes strangers: nothing in it runs, and its links open in a new window.
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'${letter ? '; sandbox allow-popups allow-popups-to-escape-sandbox' : ''}`,
    })
    response.end(letter ? renderMail(letter) : isList ? renderMailList(letters) : 'There is no such email')
  })
  const port = await startListening(server)
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => stopListening(server),
  }
}

function renderMailList(letters: ReceivedEmail[]): string {
  const rows = letters
    .map(({ email, to, at }, number) => {
      const subject = escapeHtml(email.subject ?? '')
      return `<li><a href="/letters/${number}" target="letter">${subject}</a><br><small>${escapeHtml(to.join(', '))} · ${at.toLocaleTimeString()}</small></li>`
    })
    .slice(-maxListedMails)
    .reverse()
  return `<!doctype html><html lang="en"><title>Caught emails</title><meta http-equiv="refresh" content="30">
<style>body{margin:0;display:grid;grid-template-columns:24rem 1fr;height:100vh;font:15px/1.4 system-ui}ul{margin:0;padding:1rem;overflow:auto;list-style:none}
li{padding:.5rem 0;border-bottom:1px solid #ddd}small{color:#666}iframe{width:100%;height:100%;border:0;border-left:1px solid #ddd}h1{font-size:1.1rem}</style>
<ul><h1>Caught emails (${letters.length})</h1>${rows.join('') || '<li>None yet. The next lead sends one.</li>'}</ul>
<iframe name="letter" title="The mail"${letters.length > 0 ? ` src="/letters/${letters.length - 1}"` : ''}></iframe></html>`
}

const renderMail = ({ email }: ReceivedEmail) =>
  `<base target="_blank">${email.html ?? `<pre>${escapeHtml(email.text ?? '')}</pre>`}`
