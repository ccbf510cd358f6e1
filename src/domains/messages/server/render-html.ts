import type { ReactElement } from 'react'

/** Renders an email as HTML. The library comes with the first one: a server that sends nothing does not need its memory. */
export async function renderHtml(email: ReactElement): Promise<string> {
  const { render } = await import('@react-email/render')
  return render(email)
}
