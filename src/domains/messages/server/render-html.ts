import type { ReactElement } from 'react'

/** How wide an email is where there is room. */
export const frameWidth = 560

/**
 * For Outlook on Windows, which draws with Word: it knows no maximum width, and takes Times New Roman for a list of fonts whose first one
 * the machine does not have. Others skip a comment.
 */
const outlookStyles = `<!--[if mso]><style>body,table,td,p,a,h1,h2,span{font-family:'Segoe UI',Arial,sans-serif!important}.frame{width:${frameWidth}px}</style><![endif]-->`

/** Renders an email as HTML. The library is loaded on first use, to save the memory of a server that sends nothing. */
export async function renderHtml(email: ReactElement): Promise<string> {
  const { render } = await import('@react-email/render')
  return (await render(email)).replace('</head>', `${outlookStyles}</head>`)
}
