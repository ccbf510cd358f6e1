import type { ReactElement } from 'react'

/** Renders an email as HTML. The library is loaded on first use, to save the memory of a server that sends nothing. */
export async function renderHtml(email: ReactElement): Promise<string> {
  const { render } = await import('@react-email/render')
  return render(email)
}
